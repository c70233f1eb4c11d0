"""C text to programs and answers, for the tests of the front end."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from sley.frontend.data_model import DataModel
from sley.frontend.load import load
from sley.program.instructions import GiveUp, Instruction
from sley.program.memory import MemoryObject
from sley.program.program import Function, Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.textual.validation import validate

_Kind = TypeVar("_Kind")


class Lowering:
    """Writes C files into a folder and loads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, text: str, name: str = "program.c") -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def program(
        self, text: str, *, data_model: DataModel = DataModel.LP64, name: str = "program.c"
    ) -> Program:
        made = load([self.file(text, name)], data_model=data_model)
        validate(made, is_flat=False)
        return made

    def main(self, body: str, before: str = "") -> Function:
        return self.program(f"{before}\nint main(void) {{\n{body}\n}}\n").functions["main"]

    def answer(
        self,
        text: str,
        *,
        properties: frozenset[Property] = ALL_PROPERTIES,
        data_model: DataModel = DataModel.LP64,
        name: str = "program.c",
        arguments: tuple[str, ...] | None = None,
        argc_may_be_zero: bool = False,
    ) -> Answer:
        task = Task(
            paths=(self.file(text, name),),
            selection=Selection(properties),
            data_model=data_model,
            arguments=arguments,
            argc_may_be_zero=argc_may_be_zero,
            limits=Limits(seconds=AMPLE),
            engines=("explore", "bmc"),
        )
        return verify(task).answer


def given_up(program: Program) -> list[str]:
    """Why whoever gets to certain places gives up there, without the places."""
    reasons = [i.reason for f in program.functions.values() for i in of_kind(f, GiveUp)]
    return [re.sub(r"^not modelled: \S+: ", "", reason) for reason in reasons]


def instructions(function: Function) -> list[Instruction]:
    return [edge.instruction for edge in function.edges]


def of_kind(function: Function, kind: type[_Kind]) -> list[_Kind]:
    return [i for i in instructions(function) if isinstance(i, kind)]


def named(objects: tuple[MemoryObject, ...], c_name: str) -> MemoryObject:
    (found,) = (o for o in objects if o.c_name == c_name)
    return found


def walk_texts(function: Function) -> Iterator[str]:
    return (edge.origin.text for edge in function.edges)
