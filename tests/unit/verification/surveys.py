"""Every check of a program on its own, for tests."""

from pathlib import Path

from sley.base.budget import Budget
from sley.evidence.fixpoint.survey import Survey
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program, surveyed_program
from sley.verification.result import Outcome
from sley.verification.survey import is_surveyed, surveyed
from sley.verification.task import Task


def surveyed_file(file: Path, *names: str) -> tuple[Survey, Outcome]:
    properties = frozenset[Property]().union(*(PROPERTY_GROUPS[name] for name in names))
    task = Task(paths=(file,), selection=Selection(properties), each_check=True)
    loaded = loaded_program(task)
    assert is_surveyed(loaded, task)
    found, outcome, _ = surveyed(surveyed_program(loaded, task), task, Budget(20))
    return found, outcome
