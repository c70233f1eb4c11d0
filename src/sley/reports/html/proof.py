"""A proof: the source with invariants beside the lines that they hold at, and the tree of engine impact."""

from sley.evidence.verdict import Safe
from sley.reports.html.markup import Html
from sley.verification.result import Result


def proof(result: Result, safe: Safe) -> Html | None:
    """What there is to see of a proof; None if that is nothing."""
    return None
