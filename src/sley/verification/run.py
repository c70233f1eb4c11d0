"""One run: load, prepare, ask the engines. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from sley.analyses.orders import has_threads, weak_accesses
from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.evidence.verdict import Safe, Unknown, Unsafe
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property, grouped
from sley.verification.attempt import Answered, Attempt, unsafe
from sley.verification.caveats import Caveat
from sley.verification.crashes import Crashes
from sley.verification.engines import AnyEngine
from sley.verification.facts import Facts, gains
from sley.verification.findings import Findings, Search
from sley.verification.goals import Goals
from sley.verification.machines import is_as_on_machine
from sley.verification.memory_models import RACE_FREE, Consistency
from sley.verification.observer import Observer, Phase
from sley.verification.one_by_one import OneByOne
from sley.verification.orderless import without_order_of_failures
from sley.verification.portfolio import in_turn, portfolio
from sley.verification.reading import loaded_program, prepared, surveyed_program
from sley.verification.result import Answer, NotSupported, Outcome, Result, Times
from sley.verification.suppressions import Suppressions
from sley.verification.survey import is_surveyed, searched, surveyed
from sley.verification.task import Task
from sley.verification.team import Team

if TYPE_CHECKING:
    from sley.engines.directed.part import Part
    from sley.evidence.fixpoint.survey import Survey
    from sley.evidence.trace import Trace
    from sley.verification.cluster import Cluster


A_PART, A_WHILE, LONGER = 0.25, 3.0, 4.0
"""Of the time that is left, and seconds, or so many times as long as the search took: for an explanation."""

FOR_CHECKS = 0.7
"""The part of the time in which every check is looked at on its own."""

FOR_RUNS = 0.4
"""The part of the time left after that in which runs are led to checks that are open."""

FOR_PART, BOUNDED = 0.3, "bmc"
"""The part of the time left after that in which an engine looks at what runs have come to, and who does."""

FOR_RACES = 0.5
"""The part of the time in which a proof that there is no data race is looked for, to be spared more."""


class Run:
    """One run: what was learnt so far, so that giving up half-way loses nothing."""

    def __init__(
        self,
        task: Task,
        observer: Observer,
        budget: Budget,
        engines: Mapping[str, AnyEngine],
        on_known: Callable[[Result], None] = lambda _: None,
        crashes: Crashes | None = None,
    ) -> None:
        self.task = task
        self.crashes = Crashes() if crashes is None else crashes
        self.observer = observer
        self.budget = budget
        self.budget.cores = task.jobs or 1
        self.engines = engines
        self.on_known = on_known
        self.started = time.monotonic()
        self.phase: Phase | None = None
        self.loaded: Program | None = None
        self.program: Program | None = None
        self.is_flat = False
        """Whether that is the program as most engines get it."""
        self.consistency: Consistency | None = None
        self.loading = 0.0
        self.interleaved: Answer | None = None
        self.is_race_free = False
        """Whether the answer is that for C11, and holds on machines, as there is no data race."""
        self.findings: Findings | None = None
        self.is_safe_otherwise = False
        self.survey: Survey | None = None
        self.possible: tuple[Trace, ...] = ()
        """What runs to open checks came to, and rests on what nobody knows."""
        self.cluster: Cluster | None = None
        self.caveats: tuple[Caveat, ...] = ()
        self.open = ExitStack()
        """What has to be closed when the run ends."""

    def result(self, *, is_whole: bool = True) -> Result:
        """Read the program, and find an answer; if it is the whole, not a question on the way, look twice."""
        try:
            with self.open:
                answered = self._answered()
                self.interleaved = self._interleaved(answered)
                if is_whole:
                    self.caveats = self._caveats(answered)
        except UnsupportedFeatureError as unsupported:
            answered = Answered(NotSupported(unsupported.constructs))
        except GaveUpError as gave_up:
            answered = Answered(Unknown(str(gave_up)))
        except MemoryError:
            answered = Answered(Unknown("out of memory"))
        except RecursionError:
            answered = Answered(Unknown("an expression or a declaration is nested too deeply"))
        return self._result(answered)

    def _result(self, answered: Answered) -> Result:
        """The result with all that is known by now."""
        if isinstance(answered.outcome, Unknown) and not answered.outcome.traces and self.possible:
            answered = replace(answered, outcome=replace(answered.outcome, traces=self.possible))
        elapsed = time.monotonic() - self.started
        program, consistency = self.program, self.consistency
        of_memory = consistency.assumptions if consistency is not None else ()
        return Result(
            task=replace(
                self.task, relaxed=tuple(self.findings.relaxed) if self.findings is not None else ()
            ),
            outcome=answered.outcome,
            times=Times(self.loading, elapsed - self.loading - answered.checking, answered.checking),
            engine=answered.engine if answered.is_decided else None,
            by_property=answered.by_property,
            statistics=answered.statistics,
            assumptions=(
                *self._models(),
                *of_memory,
                *(program.assumptions if program is not None else ()),
            ),
            follows=self._follows(),
            weak=consistency.weak if consistency is not None else (),
            interleaved=self.interleaved,
            unmodelled=program.unmodelled if program is not None else (),
            suppressed=tuple(self.findings.suppressed.values()) if self.findings is not None else (),
            is_safe_otherwise=self.is_safe_otherwise,
            survey=self.survey,
            unused_suppressions=self._unused_suppressions(answered),
            caveats=self.caveats,
            crashes=tuple(self.crashes.found),
        )

    def _models(self) -> Iterator[str]:
        """That functions do what the user's models say."""
        if self.loaded is None or not self.task.models:
            return
        for file, names in Goals(self.loaded).models(self.task.models).items():
            called = ", ".join(f"`{name}`" for name in names)
            yield f"{called} {'do' if names[1:] else 'does'} what {file} says"

    def _caveats(self, answered: Answered) -> tuple[Caveat, ...]:
        """What a reader of a proof has to know; variants of a program have none of their own."""
        safe, loaded = answered.outcome, self.loaded
        if not isinstance(safe, Safe) or loaded is None or self.task.guarantees is not None:
            return ()
        from sley.verification.second_look import caveats

        flat = self.program if self.is_flat else None
        looked = self.crashes.kept_from(
            "the second look at the proof", lambda: caveats(safe, loaded, flat, self.task, self.budget)
        )
        return looked or ()

    def _unused_suppressions(self, answered: Answered) -> tuple[str, ...]:
        """Those that nothing needs: certain only where all was looked at."""
        is_whole = self.is_safe_otherwise or isinstance(answered.outcome, Safe)
        if self.findings is None or not is_whole:
            return ()
        return self.findings.suppressions.unused(self.task.selection.properties)

    def _follows(self) -> tuple[str, ...]:
        """What a proof need not assume."""
        if self.is_race_free:
            return (RACE_FREE,)
        return self.consistency.follows if self.consistency is not None else ()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Time the reading, and tell the observer, unless it knows."""
        if self.phase is not Phase.READING:
            self._enter(Phase.READING)
        started = time.monotonic()
        try:
            yield
        finally:
            self.loading += time.monotonic() - started

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.observer.entered(phase)

    def _answered(self) -> Answered:
        selection = self.task.selection
        if not selection.properties:
            raise UnsupportedFeatureError(selection.unsupported)
        with self._reading():
            self.program = self.loaded = loaded = loaded_program(self.task)
        if self._is_surveyed(loaded):
            with self._reading():
                surveyed = surveyed_program(loaded, self.task)
            if (answered := self._surveyed(surveyed) or self._shown(surveyed)) is not None:
                return answered
        with self._reading():
            self.program = program = prepared(loaded, self.task)
            self.is_flat = True
            self.consistency = Consistency(self.task, program)
        self.on_known(self._result(Answered(Unknown("the engines are at work"))))
        if not self.task.all_bugs and (answered := self._race_free(program)) is not None:
            return answered
        return self._found(Search(loaded, program, selection.properties))

    def _is_surveyed(self, loaded: Program) -> bool:
        return is_surveyed(loaded, self.task)

    def _surveyed(self, program: Program) -> Answered | None:
        """Every check on its own; an answer if all of them are proved."""
        self._enter(Phase.SEARCHING)
        checking = 0.0
        outcome: Outcome = Unknown("not every check could be looked at: internal error")
        budget = self.budget.share(FOR_CHECKS, None, time.monotonic)
        try:
            looked = self.crashes.kept_from(
                "the look at every check", lambda: surveyed(program, self.task, budget)
            )
            if looked is not None:
                self.survey, outcome, checking = looked
        except (GaveUpError, MemoryError) as error:
            outcome = Unknown(f"not every check could be looked at: {str(error) or 'out of memory'}")
        self.consistency = Consistency(self.task, program)
        self.on_known(self._result(Answered(outcome, "abstract")))
        return Answered(outcome, "abstract", checking=checking) if isinstance(outcome, Safe) else None

    def _shown(self, program: Program) -> Answered | None:
        """Runs to what is open; an answer if some of them go wrong, and the user does not know it yet."""
        if self.task.engines:
            return None
        budget = self.budget.share(FOR_RUNS, None, time.monotonic)
        looked = self.crashes.kept_from(
            "runs led to open checks", lambda: searched(program, self.task, self.survey, budget)
        )
        if looked is None:
            return None
        if self.survey is not None:
            self.survey = replace(self.survey, runs=looked.effort)
        if (answered := self._news(looked.traces, "directed")) is not None:
            return answered
        self.on_known(self._result(Answered(Unknown("no run went wrong", traces=self.possible))))
        return None if self.task.all_bugs else self._bounded(looked.part)

    def _news(self, traces: "Iterable[Trace]", engine: str) -> Answered | None:
        """An answer, if the user does not know all of that yet; what is only possible is kept."""
        suppressions = Suppressions(self.task)
        news = [trace for trace in traces if suppressions.of(trace) is None]
        certain = tuple(trace for trace in news if not trace.depends_on)
        if certain and not self.task.all_bugs:
            return Answered(unsafe(certain), engine)
        self.possible += tuple(trace for trace in news if trace.depends_on)
        return None

    def _bounded(self, part: "Part") -> Answered | None:
        """Look at all runs of the part with few rounds of loops: so inputs are found that runs would guess.

        Of the part nothing is proved, as nobody knows what the calls do that are not in it.
        """
        properties = self.task.selection.properties & ALL_PROPERTIES - {Property.LEAK}
        if self.survey is not None:
            properties &= {one.property for one in self.survey.open}
        if not properties or BOUNDED not in self.engines:
            return None
        budget = self.budget.share(FOR_PART, None, time.monotonic)
        try:
            attempt = Attempt(BOUNDED, self.engines, part.program, properties, self.task)
            answered = self.crashes.kept_from(f"engine {BOUNDED}", lambda: self._worked([attempt], budget))
        except (GaveUpError, MemoryError):
            return None
        if answered is None:
            return None
        traces = answered.outcome.traces if isinstance(answered.outcome, Unsafe | Unknown) else ()
        followed = tuple(sorted(part.followed))
        return self._news((replace(trace, followed=followed) for trace in traces), BOUNDED)

    def _race_free(self, program: Program) -> Answered | None:
        """For a machine: what holds if threads interleave, and there is no data race, holds there, too.

        So C11 promises, and so compilers keep it (``program.compiled_orders``): whatever orders two accesses,
        mutexes and seq_cst, comes with barriers. Not asked where stores cannot be overtaken anyway.
        """
        task = self.task
        model = task.memory_model
        if not model.is_hardware or task.guarantees is not None or weak_accesses(program) or model.text:
            return None
        if not has_threads(program) or is_as_on_machine(program, task):
            return None
        selection = replace(task.selection, properties=task.selection.properties | {Property.RACE})
        budget = self.budget.share(FOR_RACES, None, time.monotonic)
        asked = replace(task, memory_model=MemoryModel.C11, selection=selection)
        other = self._other(asked, budget)
        found = self.crashes.kept_from("the search for data races", lambda: other.result(is_whole=False))
        if found is None:
            return None
        if found.answer is Answer.SAFE:
            self.is_race_free = True
            return Answered(found.outcome, found.engine, found.statistics, found.times.checking)
        violated = tuple(one for one in found.traces if one.failure.property is not Property.RACE)
        return Answered(unsafe(violated), found.engine) if found.answer is Answer.BUG and violated else None

    def _other(self, task: Task, budget: Budget) -> "Run":
        """A run for another task that this one depends on."""
        return Run(task, self.observer, budget, self.engines, crashes=self.crashes)

    def _interleaved(self, answered: Answered) -> Answer | None:
        """Whether the first violation is possible without the memory model; None where nobody asks."""
        if self.task.guarantees is not None or not isinstance(answered.outcome, Unsafe):
            return None
        trace = answered.outcome.traces[0]
        if trace.memory_model is MemoryModel.SC or trace.memory_model.text is not None:
            return None
        selection = replace(self.task.selection, properties=frozenset({trace.failure.property}))
        task = replace(self.task, memory_model=MemoryModel.SC, selection=selection, engines=())
        a_while = max(A_WHILE, LONGER * (time.monotonic() - self.started))
        budget = self.budget.share(A_PART, a_while, time.monotonic)
        other = Run(replace(task, all_bugs=False), self.observer, budget, self.engines, crashes=self.crashes)
        found = self.crashes.kept_from(
            "the search for the same without a memory model", lambda: other.result(is_whole=False)
        )
        return None if found is None else found.answer

    def _found(self, search: Search) -> Answered:
        """One violation after another, until one counts, or all if the user wants all."""
        findings = self.findings = Findings(self.task, Suppressions(self.task))
        while True:
            answered = self._decided(search)
            if not isinstance(answered.outcome, Unsafe) or not findings.add(answered.outcome.traces):
                break
            search = findings.beyond(search, answered.outcome.traces)
            if not search.properties:
                break
        self.is_safe_otherwise = findings.is_safe_otherwise(answered, search)
        return findings.answered(answered, search)

    def _decided(self, search: Search) -> Answered:
        """What the engines say, and whether that still holds if attempts may fail for no reason."""
        answered = self._asked(search.program, search.properties, self._one_by_one(search))
        return without_order_of_failures(answered, search.loaded, search.properties, self._asked)

    def _one_by_one(self, search: Search) -> Program | None:
        """The program for those who are to look at single properties, where that can help."""
        selection = self.task.selection
        is_first = self.findings is None or not self.findings.suppressed
        if self.task.all_bugs or not is_first or search.program.unmodelled or selection.unsupported:
            return None
        return search.loaded if len(grouped(selection.properties)) > 1 else None

    def _asked(
        self, program: Program, properties: frozenset[Property], one_by_one: Program | None = None
    ) -> Answered:
        """Ask the engines that the user chose, or else those that fit the program."""
        names = [name for name in self.task.engines or portfolio(program) if name in self.engines]
        if self.task.memory_model.text is not None and names != ["bmc"]:
            raise InputError("a memory model in a file is known to one engine: choose --engine bmc")
        attempts = [self._attempt(name, program, properties, one_by_one) for name in names]
        facts = Facts(program, properties, self.task, self.crashes)
        attempts = [replace(one, facts=facts) if gains(one) else one for one in attempts]
        if self.task.cluster is not None:
            return self._asked_elsewhere(self.task.cluster, attempts)
        return self._worked(attempts, self.budget)

    def _worked(self, attempts: Sequence[Attempt], budget: Budget) -> Answered:
        if not self.task.jobs:
            return in_turn(attempts, budget, self.observer, self.crashes)
        return Team(attempts, self.task.jobs, budget, self.observer, self.crashes).work()

    def _attempt(
        self, name: str, program: Program, properties: frozenset[Property], one_by_one: Program | None
    ) -> Attempt:
        then = None if one_by_one is None else OneByOne(name, self.engines, one_by_one, self.task)
        return Attempt(name, self.engines, program, properties, self.task, then=then)

    def _asked_elsewhere(self, address: str, attempts: Sequence[Attempt]) -> Answered:
        """Ask engines on the nodes of a cluster, which is left when the run ends."""
        from sley.verification.cluster import Cluster
        from sley.verification.remote_team import RemoteTeam

        if self.cluster is None:
            self.cluster = self.open.enter_context(Cluster(address))
        return RemoteTeam(
            attempts, self.task.jobs, self.cluster, self.budget, self.observer, self.crashes
        ).work()
