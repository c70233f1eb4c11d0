"""Every check of a program on its own, for tests."""

from pathlib import Path

from sley.base.budget import Budget
from sley.evidence.fixpoint.survey import Survey
from sley.frontend.data_model import DataModel
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.verification.conditions import is_surveyed
from sley.verification.large import surveyed
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program, surveyed_program
from sley.verification.result import Outcome
from sley.verification.task import Task
from tests.limits import AMPLE


def surveyed_file(file: Path, *names: str, data_model: DataModel = DataModel.LP64) -> tuple[Survey, Outcome]:
    """What is known of each check of some groups of properties, and whether all of them are proved."""
    properties = frozenset[Property]().union(*(PROPERTY_GROUPS[name] for name in names))
    task = Task(paths=(file,), selection=Selection(properties), data_model=data_model, each_check=True)
    loaded = loaded_program(task)
    assert is_surveyed(loaded, task)
    found, outcome, _ = surveyed(surveyed_program(loaded, task), task, Budget(AMPLE))
    return found, outcome
