"""``sley check DIR``: each component with a harness of its own, then the whole programs.

First every component gets a short look, the most promising first. Where threads do wrong together, the rest
of their calls is looked at without that pair. What is open gets what time is left; what is proved is looked
at again with more calls and more threads. Every row is an answer of ``verify`` about a C file that can be
kept.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError
from sley.frontend.compilation_database import DATABASE
from sley.frontend.components.carve import (
    Carved,
    Scenario,
    Usual,
    assumptions,
    carve,
    halves,
    unusable,
    usual_arguments,
    waits,
)
from sley.frontend.components.facts import FileFacts
from sley.frontend.components.find import Component, Repository
from sley.frontend.deep_stack import run_deep
from sley.frontend.parse import SourceParser
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.verification.component_doubts import (
    bad_pair,
    doubts,
    goes_wrong_alone,
    together,
    volatile_of_race,
    without_pair,
)
from sley.verification.component_rows import NO_TIME, Findings, Row
from sley.verification.crashes import Crashes
from sley.verification.observer import Observer, Phase
from sley.verification.repository import options_of, read_files
from sley.verification.result import Answer
from sley.verification.supervision import computed
from sley.verification.task import ONLY_FINDS, Limits, Task
from sley.verification.thresholds import (
    FIRST_LOOK,
    FOR_FIRST_LOOKS,
    FOR_OPEN,
    FOR_PROGRAMS,
    LEAST_LOOK,
    LEAST_SECOND_LOOK,
)
from sley.verification.verify import verify

Value = TypeVar("Value")

QUICK = ("explore", "bmc", ONLY_FINDS)
"""The engines of short looks: two have a core each on most machines, and runs find soon what they find."""
TOGETHER = 4
"""So many functions a thread chooses from; where there are more, each pair of such groups is a row."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A component with what its harnesses need."""

    component: Component
    usual: Usual
    assumes: tuple[str, ...]


class ComponentChecks:
    """Takes a repository through all looks."""

    def __init__(self, task: Task, folder: Path, budget: Budget, observer: Observer) -> None:
        self.task = task
        self.folder = folder
        """Where harnesses are kept."""
        self.budget = budget
        self.observer = observer
        self.findings = Findings()
        self.crashes = Crashes()
        self._written = 0
        """How many harnesses there are."""
        self._rows: dict[tuple[str, ...], Row] = {}
        self._candidates: dict[str, _Candidate] = {}

    def run(self) -> Findings:
        """Everything, as far as the time goes."""
        self.observer.entered(Phase.READING)
        read = read_files(self.task, self.budget)
        self.findings.not_read = read.not_read
        self.repository = Repository(read.files)
        for look in (self._first_looks, self._open_ones, self._programs, self._grown):
            if self.budget.exceeded() is None:
                look()
        self.findings.rows = list(self._rows.values())
        self.findings.crashes = self.crashes.found
        self.findings.ended = self.budget.exceeded() or ""
        return self.findings

    # --- looks ------------------------------------------------------------------------------------

    def _first_looks(self) -> None:
        budget = self.budget.share(FOR_FIRST_LOOKS, None, time.monotonic)
        later: list[tuple[Component, Scenario]] = []
        for component in self.repository.components():
            if budget.exceeded() is not None:
                names = tuple(one.name for one in component.operations)
                self._note(component, Scenario((names, names)))
                continue
            scenarios = list(self._prepared(component))
            for scenario in scenarios:
                self._note(component, scenario)
            self._looks([(component, one) for one in scenarios[:1]], budget, FIRST_LOOK, later)
            later += [(component, one) for one in scenarios[1:]]
        self._looks(later, budget, FIRST_LOOK, later)

    def _looks(
        self,
        waiting: list[tuple[Component, Scenario]],
        budget: Budget,
        at_most: float | None,
        later: list[tuple[Component, Scenario]],
        at_least: float = LEAST_LOOK,
    ) -> None:
        """Look at scenarios in turn; where two functions go wrong together, the rest is for later."""
        while waiting and budget.exceeded() is None:
            component, scenario = waiting.pop(0)
            left = budget.remaining()
            seconds = None if left is None else min(left, max(at_least, left / (len(waiting) + 1)))
            seconds = at_most if seconds is None else min(seconds, at_most or seconds)
            if seconds is not None and seconds < LEAST_LOOK:
                return
            row = self._look(component, scenario, budget, seconds)
            pair = bad_pair(component, scenario, row.result)
            if pair is not None:
                rest = [(component, one) for one in without_pair(scenario, pair)]
                for _, one in rest:
                    self._note(component, one)
                later += rest

    def _prepared(self, component: Component) -> Iterator[Scenario]:
        """The scenarios of a component; functions that cannot be called are left out."""
        usual = usual_arguments(component, self.repository)
        parser = SourceParser(options_of(self.task))
        try:
            cannot = self._apart(lambda: unusable(component, usual, parser))
        except (InputError, GaveUpError) as error:
            cannot = {one.name: str(error) for one in component.operations}
        key = component.key
        self.findings.left_out[key] = (*component.left_out, *cannot.items())
        self._candidates[key] = _Candidate(component, usual, tuple(assumptions(component, usual)))
        names = [one.name for one in component.operations if one.name not in cannot]
        if component.starts_threads:
            groups = [tuple(names[at : at + TOGETHER]) for at in range(0, len(names), TOGETHER)]
            yield from (Scenario((group,)) for group in groups)
            return
        groups = [tuple(names[at : at + TOGETHER]) for at in range(0, len(names), TOGETHER)]
        for number, first in enumerate(groups):
            for second in groups[number:]:
                yield Scenario((first, second))

    def _open_ones(self) -> None:
        """What is open gets more time, and what threads choose from gets less."""
        waiting: list[tuple[Component, Scenario]] = []
        for row in list(self._rows.values()):
            if row.scenario is None or not _is_open(row) or row.component not in self._candidates:
                continue
            smaller = list(halves(row.scenario)) if row.result is not None else [row.scenario]
            del self._rows[_key(row)]
            for scenario in smaller:
                self._note(self._component(row), scenario)
                waiting.append((self._component(row), scenario))
        turns = [
            sum(one is component for one, _ in waiting[:place])
            for place, (component, _) in enumerate(waiting)
        ]
        in_turn = [one for _, one in sorted(zip(turns, waiting, strict=True), key=lambda pair: pair[0])]
        budget = self.budget.share(FOR_OPEN, None, time.monotonic)
        self._looks(in_turn, budget, None, in_turn, at_least=LEAST_SECOND_LOOK)

    def _grown(self) -> None:
        """What is proved, with more calls, then with more threads."""
        proved = [one for one in self._rows.values() if one.is_proved and one.scenario is not None]
        for row in [*proved, *proved]:
            left = self.budget.remaining()
            if self.budget.exceeded() is not None or (left is not None and left < LEAST_LOOK):
                return
            assert row.scenario is not None
            now = self._rows.get(_key(row), row)
            scenario = now.scenario
            if scenario is None or not now.is_proved:
                continue
            grown = (
                replace(scenario, calls=2)
                if scenario.calls == 1
                else replace(scenario, roles=(*scenario.roles, scenario.roles[0]))
            )
            self._look(self._component(row), grown, self.budget, left and min(left, 2 * FIRST_LOOK), now)

    def _programs(self) -> None:
        """The whole programs, small ones first."""
        mains = [one for one in self.repository.files if one.has_main]
        budget = self.budget.share(FOR_PROGRAMS, None, time.monotonic)
        for number, file in enumerate(sorted(mains, key=lambda one: one.lines)):
            left = budget.remaining()
            share = None if left is None else left / (len(mains) - number)
            row = Row(component=file.path, scenario=None, problem=NO_TIME)
            if share is None or share > LEAST_LOOK:
                asked = replace(self.task, target=file.path, limits=self._limits(share))
                row = self._answered(row, asked, budget)
            self._rows[_key(row)] = row

    # --- one look ---------------------------------------------------------------------------------

    def _component(self, row: Row) -> Component:
        return self._candidates[row.component].component

    def _look(
        self,
        component: Component,
        scenario: Scenario,
        budget: Budget,
        seconds: float | None,
        former: Row | None = None,
    ) -> Row:
        """Check one scenario; a grown one replaces what it grew from if it is proved, too."""
        row = self._checked(component, scenario, budget, seconds)
        if not row.doubts and len(scenario.roles) > 1 and goes_wrong_alone(row.result):
            row = replace(row, doubts=tuple(self._alone(component, scenario, budget, row)))
        if volatile_of_race(component, row.result) is not None and scenario.calls == 1:
            machine = self._checked(component, scenario, budget, seconds, MemoryModel.TSO)
            self._rows[*_key(machine), "machine"] = machine
        return self._keep(row, former)

    def _checked(
        self,
        component: Component,
        scenario: Scenario,
        budget: Budget,
        seconds: float | None,
        model: MemoryModel | None = None,
    ) -> Row:
        """The answer about one scenario, and what speaks against it."""
        key = component.key
        candidate = self._candidates[key]
        row = Row(component=key, scenario=scenario, assumes=candidate.assumes)
        parser = SourceParser(options_of(self.task))
        try:
            carved = self._apart(lambda: carve(component, scenario, candidate.usual, parser, self.folder))
        except (InputError, GaveUpError) as error:
            return replace(row, problem=str(error))
        self._written += 1
        file = self.folder / f"{component.word}-{self._written}.c"
        file.write_text(carved.text, encoding="utf-8", errors="surrogateescape")
        asked = self._task(component.source, component.others, seconds, file)
        properties = self._properties(component, scenario, carved)
        if model is not None:
            properties -= {Property.RACE}
            asked = replace(asked, memory_model=model)
        asked = replace(asked, selection=replace(asked.selection, properties=properties))
        row = self._answered(row, asked, budget)
        return replace(
            row,
            together=together(component, row.result),
            doubts=tuple(doubts(component, candidate.usual, self.repository, row.result)),
        )

    def _alone(self, component: Component, scenario: Scenario, budget: Budget, row: Row) -> Iterator[str]:
        """Whether one thread does the same wrong: callers may have to call something first."""
        assert row.result is not None
        wrong = row.result.traces[0].failure
        for role in dict.fromkeys(scenario.roles):
            alone = self._checked(component, replace(scenario, roles=(role,)), budget, FIRST_LOOK)
            if any(trace.failure == wrong for trace in alone.result.traces) if alone.result else False:
                yield "one thread alone does it: callers may have to call something else before"
                return

    def _keep(self, row: Row, former: Row | None) -> Row:
        if former is None or row.is_proved:
            self._rows[_key(former or row)] = row
        elif row.result is not None and row.result.answer is Answer.BUG:
            self._rows[*_key(row), "grown"] = row
        return row

    def _note(self, component: Component, scenario: Scenario) -> None:
        """A row that is still to be looked at."""
        row = Row(component=component.key, scenario=scenario, problem=NO_TIME)
        self._rows.setdefault(_key(row), row)

    def _properties(self, component: Component, scenario: Scenario, carved: Carved) -> frozenset[Property]:
        """What makes sense to ask: made-up callers may wait for ever, and keep what they are given.

        Leaks, which fewer engines know, are asked about when all else is proved.
        """
        asked = set(self.task.selection.properties)
        names = tuple(name for role in scenario.roles for name in role)
        if waits(component, names, self.repository):
            asked.discard(Property.DEADLOCK)
        returns = any(one.returns_pointer for one in component.operations if one.name in names)
        if scenario.calls == 1 or component.destructor is None or carved.allocates or returns:
            asked.discard(Property.LEAK)
        return frozenset(asked)

    def _task(self, file: FileFacts, others: Sequence[FileFacts], seconds: float | None, path: Path) -> Task:
        """The question about a file and those that it needs."""
        is_first = seconds is not None and seconds <= FIRST_LOOK
        include_dirs, defines = _as_options([file, *others])
        databases = [one for one in self.task.paths if one.suffix == ".json" or (one / DATABASE).is_file()]
        return replace(
            self.task,
            paths=(*databases, path, *(one.source.path for one in others)),
            include_dirs=(*self.task.include_dirs, *include_dirs),
            defines=(*self.task.defines, *defines),
            limits=self._limits(seconds),
            engines=self.task.engines or (QUICK if is_first else ()),
        )

    def _limits(self, seconds: float | None) -> Limits:
        seconds = None if seconds is None else round(seconds, 1)
        return Limits(seconds=seconds, megabytes=self.task.limits.megabytes)

    def _answered(self, row: Row, asked: Task, budget: Budget) -> Row:
        share = budget.share(1.0, asked.limits.seconds, time.monotonic)
        share.cores = budget.cores
        try:
            result = self.crashes.kept_from(row.component, lambda: verify(asked, self.observer, share))
        except InputError as error:
            return replace(row, problem=str(error))
        return replace(row, result=result, problem="an internal error" if result is None else "")

    def _apart(self, work: Callable[[], Value]) -> Value:
        """What some work of the C parser comes to, in a process of its own."""
        return computed(lambda _observer, _budget: run_deep(work), self.budget, self.observer)


def _is_open(row: Row) -> bool:
    """Whether more time may help."""
    if row.result is None:
        return row.problem == NO_TIME
    return row.result.answer is Answer.UNKNOWN and not row.result.traces


def _key(row: Row) -> tuple[str, ...]:
    return row.component, str(row.scenario)


def _as_options(files: Sequence[FileFacts]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The folders and macros among the flags of files."""
    pairs = list(dict.fromkeys(pair for file in files for pair in pairwise((*file.source.flags, ""))))
    folders = [Path(value) for flag, value in pairs if flag in ("-I", "-isystem", "-iquote", "-idirafter")]
    joined = [flag.removeprefix("-D") for flag, _ in pairs if flag.startswith("-D") and flag != "-D"]
    return tuple(folders), (*joined, *(value for flag, value in pairs if flag == "-D"))
