"""``sley validate-witness``: from a program and a witness to a judgement."""

from collections.abc import Sequence
from pathlib import Path

from sley.base.budget import Budget
from sley.cli.exit_codes import ExitCode
from sley.cli.outputs import require_files
from sley.cli.signals import attended
from sley.cli.terminal import show, width, write
from sley.reports.validation import validation_report
from sley.verification.observer import Observer
from sley.verification.supervision import computed
from sley.verification.task import Task
from sley.verification.witnesses.agreement import agreed
from sley.verification.witnesses.validate import Validation, WitnessJudgement, validate
from sley.verification.witnesses.yaml_format import read_witness

_CODES = {
    WitnessJudgement.CONFIRMED: ExitCode.SAFE,
    WitnessJudgement.REFUTED: ExitCode.BUG,
    WitnessJudgement.UNKNOWN: ExitCode.UNKNOWN,
}


def validate_witness(task: Task, *, witness: Path, properties: Sequence[str], data_model: str | None) -> int:
    """Read, judge, report; the exit code."""
    require_files(task)

    def judge(observer: Observer, budget: Budget) -> Validation:
        document = read_witness(witness)
        about = agreed(task, document, asks=bool(properties), has_model=data_model is not None)
        return validate(about, document, observer, budget)

    with attended(task.limits) as (progress, budget), progress:
        found = computed(judge, budget, progress)
    show(validation_report(found, width=width()))
    write(f"RESULT: {found.result}\n")
    return _CODES[found.judgement]
