"""Random runs of a program: which steps they take, and where they end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sley.base.budget import Budget
from sley.program import instructions as ir
from sley.program.program import Edge, Origin, Program, user_origin
from sley.program.properties import Failure
from sley.semantics.code import Code
from sley.semantics.random_runs import LONGEST_RUN, RandomRuns
from sley.semantics.state import CUT, State, location_of


@dataclass(frozen=True)
class SampledRun:
    """A run."""

    edges: tuple[Edge, ...]
    """Those that it took, each once."""
    steps: int
    end: Origin | None = None
    """Where it ended; None: it was not followed to its end, or no thread can go on."""
    failure: Failure | None = None
    """What it ended with, if that went wrong."""
    is_cut: bool = False
    """It does not count: an assumption failed, or something not asked about went wrong."""


def random_runs(program: Program, count: int, steps: int, budget: Budget) -> Iterator[SampledRun]:
    """Random runs, each with a seed of its own."""
    code = Code(program)
    source = RandomRuns(code, 0, budget)
    start = program.functions[program.entry].span
    for number in range(count):
        source.random.seed(number)
        run = _run(code, source, number, min(steps, LONGEST_RUN))
        if not run.is_cut or run.end is None or run.end.span != start:  # its arguments are none
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
            failure = code.errors.get(taken.after[0])
            is_cut = taken.after == CUT
            at = happened[-1].target if happened else location_of(state.threads[taken.memory.thread])
            last = next(iter(code.out.get(at, ())), None) if is_cut else _last(happened, failure)
            end = None if last is None else user_origin(last.origin)
            return SampledRun(tuple(edges.values()), steps, end, failure, is_cut and end is not None)
        state = taken.state
    return SampledRun(tuple(edges.values()), steps)


def _last(happened: Sequence[Edge], failure: Failure | None) -> Edge | None:
    """The edge with which the process ends, or fails."""
    ends = happened and (failure is not None or isinstance(happened[-1].instruction, ir.End))
    return happened[-1] if ends else None


def only_end(runs: Sequence[SampledRun]) -> Origin | None:
    """Where all runs end that count; where none does, what stands in their way."""
    ended = counting(runs)
    return ended[0].end if len({run.end.span for run in ended if run.end is not None}) == 1 else None


def counting(runs: Sequence[SampledRun]) -> list[SampledRun]:
    """Those that came to an end; where no other does, also those that do not count."""
    ended = [run for run in runs if run.end is not None]
    return [run for run in ended if not run.is_cut] or ended
