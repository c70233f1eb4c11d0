"""Whether SAFE says anything: a program in which nothing happens is safe, too.

Random runs are asked first: most programs do in the first of them all that they have code for. Where no run
comes to a thread, or to an assertion, an engine is asked whether one can. Law: no answer becomes another one
here, and what is called proved is an answer SAFE to that question, with all that belongs to one. No clock
decides what is said: efforts are counted in runs, steps and states.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice

from sley.base.budget import Budget
from sley.base.source import Span
from sley.passes.error_calls import only_calls_of
from sley.program import instructions as ir
from sley.program.program import Program, user_origin
from sley.program.properties import Property
from sley.verification.caveats import Constant, How, Missing, RunEnds, Vacuity
from sley.verification.goals import Goals, Place, asked, is_model, with_any_result, with_other_ends
from sley.verification.questions import never, question
from sley.verification.reading import prepared
from sley.verification.sampling import SampledRun, counting, only_end, random_runs
from sley.verification.task import Task
from sley.verification.thresholds import FIRST_RUNS, FIRST_STEPS, GOAL_RUNS, GOAL_STEPS

MOST_NAMED = 3

REACH = frozenset({Property.REACH})


def vacuities(loaded: Program, program: Program, task: Task, budget: Budget) -> Iterator[Vacuity]:
    """What no run of a safe program comes to; ``program`` is the prepared one that the answer is about."""
    return _Inquiry(loaded, program, task, budget).found()


class _Inquiry:
    def __init__(self, loaded: Program, program: Program, task: Task, budget: Budget) -> None:
        call = task.selection.error_call
        self.loaded = loaded if call is None else only_calls_of(loaded, call)
        self.goals = Goals(self.loaded)
        self.program = program
        self.budget = budget
        self.task = question(task, REACH)
        self.asks_for_assertions = Property.REACH in task.selection.properties

    def found(self) -> Iterator[Vacuity]:
        """What is missing, of all that the program has."""
        wanted = self._wanted
        for missing in wanted:
            if missing not in self._seen and (vacuity := self._asked(missing, wanted[missing])) is not None:
                yield vacuity
        if not wanted and (end := self._last_end) is not None:
            behind = self.goals.calls_behind(end)
            if behind and (vacuity := self._asked(Missing.REST, behind)) is not None and vacuity.end:
                yield vacuity

    @cached_property
    def _wanted(self) -> dict[Missing, frozenset[Place]]:
        assertions = self.goals.assertions if self.asks_for_assertions else frozenset()
        found = {Missing.THREADS: self.goals.starts, Missing.ASSERTIONS: assertions}
        return {missing: places for missing, places in found.items() if places}

    # --- the program as it is -----------------------------------------------------------------------

    @cached_property
    def _seen(self) -> frozenset[Missing]:
        """What some of the first runs come to."""
        spans = self._assertion_spans
        seen: set[Missing] = set()
        for run in self._first_runs():
            for edge in run.edges:
                if isinstance(edge.instruction, ir.Create):
                    seen.add(Missing.THREADS)
                if user_origin(edge.origin).span in spans:
                    seen.add(Missing.ASSERTIONS)
            if seen.issuperset(self._wanted):
                break
        return frozenset(seen)

    def _first_runs(self) -> Iterator[SampledRun]:
        return random_runs(self.program, FIRST_RUNS, FIRST_STEPS, self.budget)

    @cached_property
    def _assertion_spans(self) -> frozenset[Span]:
        functions = self.loaded.functions
        places = self._wanted.get(Missing.ASSERTIONS, ())
        edges = (edge for name, at in places for edge in functions[name].outgoing.get(at, ()))
        return frozenset(edge.origin.span for edge in edges if edge.origin.span is not None)

    @property
    def _last_end(self) -> Span | None:
        """Where in the entry all of the first runs end."""
        end = only_end(list(self._first_runs()))
        if end is None:
            return None
        return end.origin.calls[0].span if end.origin.calls else end.origin.span

    # --- the question -------------------------------------------------------------------------------

    def _asked(self, missing: Missing, places: frozenset[Place]) -> Vacuity | None:
        """What is known of places that no run has come to yet; None if one does."""
        flat = prepared(asked(self.loaded, places), self.task)
        runs = list(random_runs(flat, GOAL_RUNS, GOAL_STEPS, self.budget))
        if any(run.is_goal for run in runs):
            return None
        end = self._told(only_end(runs))
        span = None if end is None else end.origin.span
        if span is not None and never(with_other_ends(flat, span), self.task, self.budget):
            because_of = tuple(islice(self._because_of(places), MOST_NAMED))
            return Vacuity(missing, is_proved=True, end=end, because_of=because_of)
        if (is_proved := never(flat, self.task, self.budget)) is not None:
            return Vacuity(missing, is_proved=True) if is_proved else None
        ended = len(counting(runs))
        return Vacuity(missing, is_proved=False, runs=ended, end=end) if ended else None

    def _told(self, end: RunEnds | None) -> RunEnds | None:
        """What stands in the way of runs is no assumption where the program has a check."""
        if end is None or end.how is not How.CUT:
            return end
        checks = (edge.origin.span for edge in self.loaded.edges if isinstance(edge.instruction, ir.Check))
        return replace(end, how=How.WRONG) if end.origin.span in checks else end

    def _because_of(self, places: frozenset[Place]) -> Iterator[Constant]:
        """Functions but for whose results some run would come to one of the places."""
        files = [path.name for path in self.task.models]
        for function, value in self.goals.constants():
            if function.is_library and not any(is_model(function, file) for file in files):
                continue
            other = with_any_result(asked(self.loaded, places), function.name)
            flat = prepared(other, self.task)
            if any(run.is_goal for run in random_runs(flat, GOAL_RUNS, GOAL_STEPS, self.budget)):
                yield Constant(function.c_name, value, function.span)
