"""Random runs of a program: which steps they take, and where they end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sley.base.budget import Budget
from sley.program import instructions as ir
from sley.program.program import Edge, Program, user_origin
from sley.semantics.code import Code
from sley.semantics.random_runs import LONGEST_RUN, RandomRuns
from sley.semantics.state import CUT, State, location_of
from sley.verification.caveats import How, RunEnds
from sley.verification.goals import GOAL


@dataclass(frozen=True)
class SampledRun:
    """A run."""

    edges: tuple[Edge, ...]
    """Those that it took, each once."""
    steps: int
    is_goal: bool
    end: RunEnds | None
    """None: it was not followed to its end, or no thread can go on."""

    @property
    def is_cut(self) -> bool:
        """Whether it does not count: an assumption failed, or something not asked about went wrong."""
        return self.end is not None and self.end.how in (How.CUT, How.WRONG)


def random_runs(program: Program, count: int, steps: int, budget: Budget) -> Iterator[SampledRun]:
    """Random runs, each with a seed of its own."""
    code = Code(program)
    source = RandomRuns(code, 0, budget)
    start = program.functions[program.entry].span
    for number in range(count):
        source.random.seed(number)
        run = _run(code, source, number, min(steps, LONGEST_RUN))
        if not run.is_cut or run.end is None or run.end.origin.span != start:  # its arguments are none
            yield run
        if (steps := steps - run.steps) <= 0:
            return


def _run(code: Code, source: RandomRuns, number: int, longest: int) -> SampledRun:
    state: State = code.initial()
    edges: dict[tuple[int, int], Edge] = {}
    steps = 0
    for steps, taken in enumerate(source.run(number, longest=longest), 1):
        happened = [happening.edge for happening in taken.happenings]
        edges.update(((edge.source, edge.target), edge) for edge in happened)
        if taken.state is None:
            last = happened[-1].target if happened else location_of(state.threads[taken.memory.thread])
            is_goal = code.errors.get(taken.after[0]) == GOAL
            end = _cut(code, last) if taken.after == CUT else _end(happened)
            return SampledRun(tuple(edges.values()), steps, is_goal, end)
        state = taken.state
    return SampledRun(tuple(edges.values()), steps, is_goal=False, end=None)


_HOW = {ir.Ending.RETURN: How.RETURN, ir.Ending.EXIT: How.EXIT, ir.Ending.ABORT: How.ABORT}


def _end(happened: Sequence[Edge]) -> RunEnds | None:
    """The end of a run with these steps at last."""
    edge = happened[-1] if happened else None
    if edge is None or not isinstance(edge.instruction, ir.End):
        return None
    return RunEnds(_HOW[edge.instruction.ending], user_origin(edge.origin))


def _cut(code: Code, at: int) -> RunEnds | None:
    """Where a thread could not go on, for which reason the run does not count."""
    edges = code.out.get(at, ())
    if not edges:
        return None
    is_assumption = isinstance(edges[0].instruction, ir.Assume) and not edges[0].origin.is_library
    return RunEnds(How.CUT if is_assumption else How.WRONG, user_origin(edges[0].origin))


def only_end(runs: Sequence[SampledRun]) -> RunEnds | None:
    """Where all runs end that count; where none does, what stands in their way."""
    ended = counting(runs)
    ends = {(run.end.how, run.end.origin.span) for run in ended if run.end is not None}
    return ended[0].end if len(ends) == 1 else None


def counting(runs: Sequence[SampledRun]) -> list[SampledRun]:
    """Those that came to an end; where no other does, also those that do not count."""
    ended = [run for run in runs if run.end is not None]
    return [run for run in ended if not run.is_cut] or ended
