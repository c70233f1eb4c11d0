"""The programs under ``tests/programs``: what their first lines say, and what engines are asked about them.

A program is read and prepared once for all the engines that are asked the same question.
"""

import shlex
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import sley.verification.run as running
import sley.verification.second_look as second_look
from sley.cli.arguments import harness
from sley.frontend.data_model import DataModel
from sley.frontend.harness.plan import Harness
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, ON_REQUEST, PROPERTY_GROUPS, Property
from sley.verification.engine import AnyEngine
from sley.verification.engines import ENGINES
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program, prepared
from sley.verification.result import Answer, Result
from sley.verification.task import ONLY_FINDS, EngineOptions, Limits, Task
from sley.verification.verify import verify

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".c", ".i"))
DEFAULT_OPTIONS = EngineOptions()


@dataclass(frozen=True)
class Marks:
    """What the first line of a program says."""

    holds: frozenset[Property]
    violated: tuple[str, ...]
    is_unmodelled: bool
    data_model: DataModel
    malloc_may_fail: bool
    create_may_fail: bool
    argc_may_be_zero: bool
    arguments: tuple[str, ...] | None
    """What the program is started with."""
    harness: Harness | None
    """Who calls a program without ``main``."""


_ARGUMENTS = ArgumentParser(exit_on_error=False)
_ARGUMENTS.add_argument("--data-model", default="LP64")
_ARGUMENTS.add_argument("--malloc-may-fail", action="store_true")
_ARGUMENTS.add_argument("--create-may-fail", action="store_true")
_ARGUMENTS.add_argument("--argc-may-be-zero", action="store_true")
for flag in ("entry", "threads", "calls", "setup", "make"):
    is_number = flag in ("threads", "calls")
    _ARGUMENTS.add_argument(
        f"--{flag}", **({"type": int} if is_number else {"action": "append", "default": []})
    )


@cache
def marks_of(path: Path) -> Marks:
    first = path.read_text().splitlines()[0]
    assert first.startswith("// sley: "), f"{path} has no marks"
    marks = dict(word.split("=", 1) for word in shlex.split(first.removeprefix("// sley: ")))
    words = shlex.split(marks.pop("args", ""))
    end = words.index("--") if "--" in words else len(words)
    arguments = _ARGUMENTS.parse_args(words[:end])
    is_unmodelled = marks.pop("unmodelled", "false") == "true"
    assert set(marks) <= set(PROPERTY_GROUPS), f"{path} marks something unknown"
    assert set(marks.values()) <= {"true", "false"}, f"{path} has a mark that is neither true nor false"
    holds = frozenset(
        prop for group, mark in marks.items() if mark == "true" for prop in PROPERTY_GROUPS[group]
    )
    violated = tuple(group for group, mark in marks.items() if mark == "false")
    return Marks(
        holds,
        violated,
        is_unmodelled,
        DataModel[arguments.data_model],
        arguments.malloc_may_fail,
        arguments.create_may_fail,
        arguments.argc_may_be_zero,
        tuple(words[end + 1 :]) if end < len(words) else None,
        harness(vars(arguments)),
    )


def name_of(path: Path) -> str:
    return str(path.relative_to(FOLDER).with_suffix(""))


# --- questions -------------------------------------------------------------------------------------

HOLDS = "holds"
"""The question whether everything holds that is marked so; the others are named by their group."""


class Question(NamedTuple):
    """What an engine is asked about a program, and what is true."""

    name: str
    properties: frozenset[Property]
    expected: Answer


class Scope(NamedTuple):
    """What an engine is made for."""

    proves: frozenset[Property] = ALL_PROPERTIES
    finds: frozenset[Property] = ALL_PROPERTIES
    apart: tuple[str, ...] = ()
    """Groups that it proves now and then, and is asked about by themselves."""
    can_find: bool = True
    """Otherwise the most that can be asked of it is not to call a wrong program safe."""


_REACH_AND_RACE = PROPERTY_GROUPS["reach"] | PROPERTY_GROUPS["race"]
SCOPES = {
    "explore": Scope(proves=ALL_PROPERTIES | ON_REQUEST, finds=ALL_PROPERTIES | ON_REQUEST),
    "impact": Scope(),
    "bmc": Scope(),
    "modular": Scope(proves=_REACH_AND_RACE, can_find=False),
    "symmetry": Scope(proves=_REACH_AND_RACE, finds=_REACH_AND_RACE),
    "abstract": Scope(
        proves=PROPERTY_GROUPS["race"] | PROPERTY_GROUPS["memory"] - {Property.LEAK},
        apart=("deadlock",),
        can_find=False,
    ),
}
assert {*SCOPES, ONLY_FINDS} == {*ENGINES}


def questions(path: Path, engine: str | None) -> Iterator[Question]:
    """All that an engine, or the row of engines, is asked about a program."""
    marks = marks_of(path)
    scope = Scope() if engine is None else SCOPES[engine]
    if marks.is_unmodelled:
        yield Question(HOLDS, marks.holds or ALL_PROPERTIES, Answer.UNKNOWN)
    elif marks.holds & scope.proves:
        yield Question(HOLDS, marks.holds & scope.proves, Answer.SAFE)
    for group in () if marks.is_unmodelled else scope.apart:
        if PROPERTY_GROUPS[group] <= marks.holds:
            yield Question(group, PROPERTY_GROUPS[group], Answer.SAFE)
    for group in marks.violated:
        if PROPERTY_GROUPS[group] <= scope.finds:
            yield Question(group, PROPERTY_GROUPS[group], Answer.BUG)


def answered(
    path: Path,
    engine: str | None,
    properties: frozenset[Property],
    seconds: float,
    *,
    options: EngineOptions = DEFAULT_OPTIONS,
    engines: Mapping[str, AnyEngine] = ENGINES,
) -> Result:
    """What an engine, or the row of engines, says.

    Only the row has a second look at its proofs: that changes no answer, and costs a third of all time.
    """
    marks = marks_of(path)
    task = Task(
        paths=(path,),
        selection=Selection(properties),
        data_model=marks.data_model,
        malloc_may_fail=marks.malloc_may_fail,
        create_may_fail=marks.create_may_fail,
        argc_may_be_zero=marks.argc_may_be_zero,
        arguments=marks.arguments,
        harness=marks.harness,
        limits=Limits(seconds=seconds),
        engines=() if engine is None else (engine,),
        options=options,
        jobs=0,
    )
    with _READING.shared(path), nullcontext() if engine is None else _WITHOUT_SECOND_LOOK:
        return verify(task, engines=engines)


class _Reading:
    """Reads and prepares a program once for each set of properties, until it is another program's turn."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.loaded: dict[bool, Program] = {}
        self.prepared: dict[tuple[bool, frozenset[Property]], Program] = {}
        self._load: Callable[[Task], Program] = loaded_program
        self._prepare: Callable[[Program, Task], Program] = prepared

    @contextmanager
    def shared(self, path: Path) -> Iterator[None]:
        if path != self.path:
            self.path, self.loaded, self.prepared = path, {}, {}
        with (
            patch.object(running, "loaded_program", self._loaded_once),
            patch.object(running, "prepared", self._prepared_once),
        ):
            yield

    def _loaded_once(self, task: Task) -> Program:
        keeps_frames = Property.LEAK in task.selection.properties
        if keeps_frames not in self.loaded:
            self.loaded[keeps_frames] = self._load(task)
        return self.loaded[keeps_frames]

    def _prepared_once(self, program: Program, task: Task) -> Program:
        key = (Property.LEAK in task.selection.properties, task.selection.properties)
        if key not in self.prepared:
            self.prepared[key] = self._prepare(program, task)
        return self.prepared[key]


_READING = _Reading()
_WITHOUT_SECOND_LOOK = patch.object(second_look, "look_again", lambda *_: None)
