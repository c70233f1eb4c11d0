"""What engines do with and without what ``abstract`` proves before them.

    python -m bench.facts [--sample N] [--seed S] [--engine bmc,impact] [--time-limit 5]

asks engines about the marked programs, first without and then with it, or the other way round, in one
process: processor seconds of search, check and runs, and with it also those that it took to prove it. Where
nothing is given, nothing is compared. A question counts as slower by more than a fifth (and a twentieth of a
second) only if it is so again, by the best of three. Ends with 1 if an answer is wrong.

``default`` is no engine but all that fit, side by side, as without ``--engine``; also where nothing is given.
"""

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.table import Table, number
from tests.marked_programs import PROGRAMS, Question, marks_of, name_of, questions

from sley.base.budget import Budget
from sley.passes.pipeline import may_try
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.attempt import Attempt
from sley.verification.engines import ENGINES
from sley.verification.facts import EngineFacts, gains
from sley.verification.observer import SilentObserver
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program, prepared
from sley.verification.result import Answer, Outcome, answer_of
from sley.verification.task import Limits, Task
from sley.verification.verify import verify

RECEIVERS = ("explore", "bmc", "impact", "modular")
DEFAULT = "default"
SLOWER, SLACK, AGAIN = 1.2, 0.05, 3
DECIDED = (Answer.SAFE, Answer.BUG)

Asked = Callable[[], tuple[Answer, float]]
"""An answer, and the processor seconds that it took."""


@dataclass
class Compared:
    """One engine."""

    questions: int = 0
    decided: list[int] = field(default_factory=lambda: [0, 0])
    """Without and with."""
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Of questions that are decided both ways."""
    gained: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    slower: list[str] = field(default_factory=list)
    faster: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, name: str, expected: Answer, ways: tuple[Asked, Asked], *, is_turned: bool) -> None:
        self.questions += 1
        order = (1, 0) if is_turned else (0, 1)
        found = dict(sorted((way, ways[way]()) for way in order))
        for way, (answer, _) in found.items():
            self.decided[way] += answer in DECIDED
            if answer in DECIDED and answer is not expected:
                self.wrong.append(f"{name}: {answer.value} {'with' if way else 'without'}")
        (before, without), (after, given) = found[0], found[1]
        if before in DECIDED and after in DECIDED:
            self.seconds[0] += without
            self.seconds[1] += given
            if _is_slower(given, without) and _is_slower(
                *(_best(ways[way], found[way][1]) for way in (1, 0))
            ):
                self.slower.append(f"{name} ({without:.2f} s, {given:.2f} s)")
            if _is_slower(without, given):
                self.faster.append(f"{name} ({without:.2f} s, {given:.2f} s)")
        elif after in DECIDED:
            self.gained.append(name)
        elif before in DECIDED:
            self.lost.append(name)


def _is_slower(one: float, other: float) -> bool:
    return one > SLOWER * other + SLACK


def _best(ask: Asked, seconds: float) -> float:
    return min(seconds, *(ask()[1] for _ in range(AGAIN - 1)))


def asked_about(path: Path, question: Question, engine: str, limit: float) -> tuple[Asked, Asked] | None:
    """Both ways to ask; None if nothing is given."""
    marks = marks_of(path)
    task = Task(
        paths=(path,),
        selection=Selection(question.properties),
        data_model=marks.data_model,
        malloc_may_fail=marks.malloc_may_fail,
        argc_may_be_zero=marks.argc_may_be_zero,
        arguments=marks.arguments,
        create_may_fail=marks.create_may_fail,
        harness=marks.harness,
    )
    if engine == DEFAULT:
        task = replace(task, limits=Limits(seconds=limit))
        return _measured(lambda: verify(replace(task, uses_facts=False)).outcome), _measured(
            lambda: verify(task).outcome
        )
    loaded = loaded_program(task)
    if Property.RACE in question.properties and may_try(loaded):
        return None  # what one attempt says of races is not all
    program = prepared(loaded, task)
    attempt = Attempt(engine, ENGINES, program, question.properties, task)
    if not gains(attempt):
        return None

    def with_it() -> Attempt:
        return EngineFacts(program, question.properties, task).given_to(attempt)

    if with_it().given is None:
        return None
    return _asked(lambda: attempt, limit), _asked(with_it, limit)


def _asked(made: Callable[[], Attempt], limit: float) -> Asked:
    return _measured(lambda: made().answered(Budget(limit, None), SilentObserver()).outcome)


def _measured(ask: Callable[[], Outcome]) -> Asked:
    def measured() -> tuple[Answer, float]:
        started = _seconds()
        return answer_of(ask()), _seconds() - started

    return measured


def _seconds() -> float:
    """Processor seconds of this process, and of those that it has waited for."""
    return sum(os.times()[:4])


def chosen(sample: int | None, seed: int) -> list[Path]:
    """Some of the marked programs, or all."""
    if sample is None or sample >= len(PROGRAMS):
        return PROGRAMS
    return sorted(random.Random(seed).sample(PROGRAMS, sample))


def asked_questions(path: Path, engine: str) -> Iterator[Question]:
    if not marks_of(path).is_unmodelled:
        asked = None if engine == DEFAULT else engine
        yield from (one for one in questions(path, asked) if one.properties <= ALL_PROPERTIES)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.facts")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default=",".join(RECEIVERS))
    parser.add_argument("--time-limit", type=float, default=5.0)
    flags = parser.parse_args()
    compared = {engine: Compared() for engine in flags.engine.split(",")}
    for path in chosen(flags.sample, flags.seed):
        for engine, found in compared.items():
            for question in asked_questions(path, engine):
                ways = asked_about(path, question, engine, flags.time_limit)
                if ways is not None:
                    name = f"{name_of(path)}, {question.name}"
                    found.add(name, question.expected, ways, is_turned=bool(found.questions % 2))
    table = Table(("engine", "questions", "decided", "with", "seconds", "with"), (8, 9, 7, 7, 8, 8), names=1)
    for engine, found in compared.items():
        decided, seconds = (number(n) for n in found.decided), (number(n, 1) for n in found.seconds)
        table.row((engine, number(found.questions), *decided, *seconds))
    for engine, found in compared.items():
        for what in ("wrong", "lost", "slower", "gained", "faster"):
            for name in getattr(found, what):
                print(f"{engine}, {what}: {name}")
    return int(any(found.wrong for found in compared.values()))


if __name__ == "__main__":
    sys.exit(main())
