"""The judgement of a witness, for people."""

from sley.reports.lines import Line, Segment, line, wrapped
from sley.reports.phrases import WIDTH
from sley.reports.text import trace_report
from sley.verification.witnesses.validate import Validation, WitnessJudgement

_STYLES = {
    WitnessJudgement.CONFIRMED: "safe",
    WitnessJudgement.REFUTED: "failure",
    WitnessJudgement.UNKNOWN: "unknown",
}


def validation_report(validation: Validation, *, width: int = WIDTH) -> list[Line]:
    """The judgement, why, and the run that shows it."""
    width = min(width, WIDTH)
    word = f" {validation.judgement.value} "
    lines: list[Line] = []
    for sentence in validation.why:
        for part in wrapped(sentence, width - len(word) - 1):
            head = Segment(word, _STYLES[validation.judgement]) if not lines else Segment(" " * len(word))
            lines.append((head, Segment(f" {part}")))
    if validation.trace is None:
        return lines
    return [*lines, line(""), *trace_report(validation.trace, width=width)]
