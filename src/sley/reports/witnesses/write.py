"""``--witness FILE``: the format follows from the name of the file."""

from pathlib import Path

from sley.reports.witnesses.graphml import graphml_of
from sley.reports.witnesses.metadata import claim_of
from sley.reports.witnesses.yaml_format import yaml_of
from sley.verification.result import Result

_FORMATS = {".graphml": graphml_of, ".yml": yaml_of, ".yaml": yaml_of}


def witness_of(result: Result, file: Path) -> str | None:
    """The witness of an answer; None if there is nothing to be witnessed."""
    claim = claim_of(result)
    return None if claim is None else _FORMATS[file.suffix](claim, result.invariants)
