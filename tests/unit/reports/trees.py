"""Trees of small C programs."""

from pathlib import Path

from sley.engines.impact.options import ImpactOptions
from sley.inspection.searches import Unwinding, unwound
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.task import EngineOptions, Limits, Task
from tests.limits import AMPLE

DEFAULT = ImpactOptions()
PROGRAMS = Path(__file__).parents[2] / "programs"


def tree_of(path: Path, options: ImpactOptions = DEFAULT) -> Unwinding:
    """What engine impact makes of a program's assertions."""
    return unwound(
        Task(
            paths=(path,),
            selection=Selection(PROPERTY_GROUPS["reach"]),
            limits=Limits(seconds=AMPLE),
            options=EngineOptions(impact=options),
        )
    )


def tree_of_text(folder: Path, text: str) -> Unwinding:
    """The same, of a program given as text."""
    path = folder / "program.c"
    path.write_text(text)
    return tree_of(path)
