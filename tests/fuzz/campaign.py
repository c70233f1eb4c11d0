"""An engine against ``explore`` without reduction, which is the oracle: what is compared, and the laws.

On the same properties the two never give different certain answers; a BUG was replayed, a SAFE is accepted by
the checker, random runs fit it, and there is none where only some runs were looked at. Which answer is not
certain is no law. But where ``explore`` has an answer, a violation that cannot be replayed is a wrong
formula, though not a wrong answer: such cases are counted by themselves.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc.audit import check_again
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError, replay
from sley.evidence.runs import run_against
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.verification.engines import ENGINES
from tests.fuzz.laws import loaded, searched

CHECK_SECONDS = 20.0
"""A check that takes longer is none, and the proof no answer."""


@dataclass(frozen=True)
class Case:
    """A program, the properties it is asked about, an engine, and how it is asked."""

    text: str
    properties: frozenset[Property]
    engine: str
    options: Any
    looks_at_all: bool = True
    """Otherwise the engine looks at some runs only: it may find a violation, and prove nothing."""


@dataclass(frozen=True)
class Comparison:
    """What became of one case."""

    outcome: str
    """In a few words, for statistics; ``wrong`` is a failure of the campaign."""
    problem: str | None = None
    """What is wrong."""
    note: str | None = None
    """What is worth a look, though not wrong."""


class Limits(NamedTuple):
    """How far a comparison may go."""

    max_states: int = 10_000
    seconds: float = 5.0


class Oracle(NamedTuple):
    """What ``explore`` found."""

    violated: frozenset[Property]
    is_certain: bool
    """Whether it has seen everything: otherwise there may be more violations."""


def names(properties: Iterable[Property]) -> list[str]:
    """For messages."""
    return sorted(prop.value for prop in properties)


def oracle_of(program: Program, properties: frozenset[Property], max_states: int) -> Oracle | None:
    """The violations that there are; None if there are too many states."""
    searching = searched(program, properties, max_states, is_reduced=False)
    if searching is None:
        return None
    violated = frozenset(failure.property for failure in searching.violations)
    return Oracle(violated, not searching.gave_up)


def compared(cases: Sequence[Case], path: Path, limits: Limits) -> dict[str, Comparison]:
    """Ask ``explore`` and the engine of each case; they differ in engines and options only.

    The program is written to ``path``.
    """
    properties = cases[0].properties
    path.write_text(cases[0].text)
    program = loaded(path, properties)
    oracle = oracle_of(program, properties, limits.max_states)
    if oracle is None:
        return {case.engine: Comparison("too large") for case in cases}
    return {case.engine: judged(program, case, oracle, limits.seconds) for case in cases}


def judged(
    program: Program, case: Case, oracle: Oracle, seconds: float, whole: Program | None = None
) -> Comparison:
    """What an engine says of a program, or of a part of the whole, of which the truth is known."""
    engine, violated = ENGINES[case.engine], names(oracle.violated)
    try:
        budget = Budget(seconds, clock=time.process_time)  # a busy machine changes no answer
        verdict, _ = engine.search(program, case.properties, case.options, budget)
        if isinstance(verdict, Claimed):
            check_thoroughly(program, case, verdict.proof, budget.elapsed())
        if isinstance(verdict, Unsafe) and whole is not None:
            for trace in verdict.traces:
                replay(whole, trace.schedule, trace.failure)
    except GaveUpError as reason:
        verdict = Unknown(str(reason))
    except RefusedProofError as error:
        return Comparison("wrong", f"{case.engine}: refused: {error}")
    except ReplayError as error:
        return Comparison("wrong", f"{case.engine}: not replayed on the whole: {error}")
    match verdict:
        case Claimed():
            if oracle.violated:
                return Comparison("wrong", f"{case.engine}: safe, explore: {violated} violated")
            if not case.looks_at_all:
                return Comparison("wrong", f"{case.engine}: safe, though only some runs were looked at")
            return Comparison("safe")
        case Unsafe(traces=traces):
            found = {trace.failure.property for trace in traces}
            if not found <= oracle.violated and oracle.is_certain:
                return Comparison("wrong", f"{case.engine}: {names(found)} violated, explore: {violated}")
            return Comparison("bug")
        case Bounded():
            return Comparison("bounded")
        case Unknown(reason=why):
            if "replayed" in why and oracle.is_certain:
                return Comparison("not replayed", note=f"{case.engine}: not replayed: {why}")
            return Comparison("unknown")


def check_thoroughly(program: Program, case: Case, proof: Any, seconds: float) -> None:
    """By its checker, by runs that must fit, and for ``bmc`` by the engine's formula with another solver.

    It was found in so many seconds, on which it depends how many runs there are.
    """
    engine, budget, code = ENGINES[case.engine], Budget(CHECK_SECONDS, clock=time.process_time), Code(program)
    engine.check_proof(program, case.properties, proof, budget)
    run_against(code, case.properties, engine.follower(code, engine.plain(proof)), seconds, budget)
    if case.engine == "bmc":
        check_again(program, case.properties, proof, budget)
