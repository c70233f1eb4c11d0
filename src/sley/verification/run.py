"""What a run knows so far: its programs, and what questions have found out. Giving up loses nothing of it."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from sley.base.budget import Budget
from sley.base.errors import UnsupportedFeatureError
from sley.base.source import Span
from sley.evidence.trace import Trace
from sley.evidence.verdict import Safe, Unknown
from sley.passes.pieces import in_bytes
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.answers import Answered
from sley.verification.attempt import Attempt
from sley.verification.caveats import Caveat
from sley.verification.crashes import Crashes
from sley.verification.engine import AnyEngine
from sley.verification.goals import Goals
from sley.verification.memory_models import RACE_FREE, MemoryDemand
from sley.verification.observer import Observer, Phase
from sley.verification.reading import loaded_program, prepared, surveyed_program
from sley.verification.result import Answer, Result, Suppressed, Times
from sley.verification.suppressions import Suppressions
from sley.verification.task import Task

if TYPE_CHECKING:
    from sley.engines.directed.part import InlinedPart
    from sley.evidence.fixpoint.survey import Survey


class Asked(Protocol):
    """Whatever answers questions about prepared programs: engines, or a file with proofs."""

    def __call__(
        self,
        program: Program,
        properties: frozenset[Property],
        *,
        engines: tuple[str, ...],
        singly: Program | None = None,
    ) -> Answered:
        """What these engines say; without any, those that fit the program.

        ``singly`` is the program for an engine without an answer, to look at one property after another.
        """
        ...

    def about(self, attempts: list[Attempt], budget: Budget) -> Answered:
        """What comes of these attempts within a budget."""
        ...


@dataclass(kw_only=True)
class Run:
    """One task on its way through the questions of a plan."""

    task: Task
    budget: Budget
    observer: Observer
    engines: Mapping[str, AnyEngine]
    asked: Asked
    crashes: Crashes
    answer_to: Callable[[Task, Budget], Result]
    """The answer to another task that this one depends on."""
    started: float = field(default_factory=time.monotonic)
    loading: float = 0.0
    loaded: Program = field(init=False)
    flat: Program | None = None
    """The prepared program, if the answer is about that."""
    consistency: MemoryDemand | None = None
    _with_calls: Program | None = None
    _program: Program | None = None
    """The program that the answer is about."""
    _phase: Phase | None = None
    survey: "Survey | None" = None
    part: "InlinedPart | None" = None
    """The part of a large program that runs have come to."""
    possible: tuple[Trace, ...] = ()
    """What runs to open checks came to, and rests on what is not known."""
    suppressions: Suppressions | None = None
    suppressed: tuple[Suppressed, ...] = ()
    relaxed: tuple[Span, ...] = ()
    """Where plain accesses are taken as relaxed, as races there were suppressed."""
    is_race_free: bool = False
    """Whether the answer is that for C11, and holds on machines, as there is no data race."""
    is_safe_otherwise: bool = False
    answered: Answered | None = None
    """What settled the run."""
    interleaved: Answer | None = None
    caveats: tuple[Caveat, ...] = ()

    # --- programs -----------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the program; UnsupportedFeatureError if what is asked is outside what we model."""
        selection = self.task.selection
        if not selection.properties:
            raise UnsupportedFeatureError(selection.unsupported)
        with self._reading():
            self.loaded = self._program = loaded_program(self.task)

    def with_calls(self) -> Program:
        """The program as it is looked at without inlining; from now on the answer is about that."""
        if self._with_calls is None:
            with self._reading():
                self._with_calls = in_bytes(surveyed_program(self.loaded, self.task))
            self.consistency = MemoryDemand(self.task, self._with_calls)
        return self._with_calls

    def prepared(self) -> Program:
        """The program as engines get it; from now on the answer is about that."""
        if self.flat is None:
            with self._reading():
                self.flat = self._program = prepared(self.loaded, self.task)
                self.consistency = MemoryDemand(self.task, self.flat)
        return self.flat

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Time the reading, and tell the observer, unless it knows."""
        self.enter(Phase.READING)
        started = time.monotonic()
        try:
            yield
        finally:
            self.loading += time.monotonic() - started

    def enter(self, phase: Phase) -> None:
        """Tell the observer that a phase begins, unless it knows."""
        if self._phase is not phase:
            self._phase = phase
            self.observer.entered(phase)

    # --- the result ---------------------------------------------------------------------------------

    def result(self, answered: Answered) -> Result:
        """The result with all that is known by now."""
        if isinstance(answered.outcome, Unknown) and not answered.outcome.traces and self.possible:
            answered = replace(answered, outcome=replace(answered.outcome, traces=self.possible))
        elapsed = time.monotonic() - self.started
        program, consistency = self._program, self.consistency
        return Result(
            task=replace(self.task, relaxed=self.relaxed),
            outcome=answered.outcome,
            times=Times(self.loading, elapsed - self.loading - answered.checking, answered.checking),
            engine=answered.engine if answered.is_decided else None,
            by_property=answered.by_property,
            statistics=answered.statistics,
            assumptions=(
                *self._models(),
                *(consistency.assumptions if consistency is not None else ()),
                *(program.assumptions if program is not None else ()),
            ),
            follows=self._follows(),
            weak=consistency.weak if consistency is not None else (),
            interleaved=self.interleaved,
            unmodelled=program.unmodelled if program is not None else (),
            suppressed=self.suppressed,
            is_safe_otherwise=self.is_safe_otherwise,
            survey=self.survey,
            unused_suppressions=self._unused_suppressions(answered),
            caveats=self.caveats,
            crashes=tuple(self.crashes.found),
        )

    def _models(self) -> Iterator[str]:
        """That functions do what the user's models say."""
        if self._program is None or not self.task.models:
            return
        for file, names in Goals(self.loaded).models(self.task.models).items():
            called = ", ".join(f"`{name}`" for name in names)
            yield f"{called} {'do' if names[1:] else 'does'} what {file} says"

    def _unused_suppressions(self, answered: Answered) -> tuple[str, ...]:
        """Those that nothing needs: certain only where all was looked at."""
        is_whole = self.is_safe_otherwise or isinstance(answered.outcome, Safe)
        if self.suppressions is None or not is_whole:
            return ()
        return self.suppressions.unused(self.task.selection.properties)

    def _follows(self) -> tuple[str, ...]:
        """What a proof need not assume."""
        if self.is_race_free:
            return (RACE_FREE,)
        return self.consistency.follows if self.consistency is not None else ()
