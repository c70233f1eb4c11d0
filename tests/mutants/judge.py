"""What an engine claims about marked programs, and what becomes of the claim; run on a source with a fault.

    python -m tests.mutants.judge "ENGINE [OPTION ...]" SECONDS ENOUGH PROGRAM ...

prints one line per program: its name, whether the claim was wrong, and what happened to it; after ENOUGH
wrong claims it stops.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sley.cli.arguments import add_options
from sley.evidence.proof import Proof, RefusedProofError
from sley.evidence.replay import ReplayError
from sley.evidence.runs import MisfitError
from sley.evidence.verdict import Claimed, Statistics, Unsafe, Verdict
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.verification.engine import AnyEngine
from sley.verification.engines import ENGINES, FOR_WEAK
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import EngineOptions, Limits, Task
from sley.verification.verify import verify
from tests.marked_programs import FOLDER, marks_of


class Fate(Enum):
    """What became of a claim."""

    RIGHT = "right"
    REFUSED = "checker"
    RUN = "runs"
    REPLAY = "replay"
    UNCHECKED = "not checked"
    """No answer, because the proof could not be checked."""
    NONE = "no claim"
    CRASH = "crash"
    WRONG = "WRONG ANSWER"


def judged(path: Path, engine: str, seconds: float) -> tuple[bool, Fate]:
    """Whether the engine claims something wrong about the program, and what becomes of that."""
    marks = marks_of(path)
    asked = [(PROPERTY_GROUPS[group], Answer.SAFE) for group in marks.violated]
    if marks.holds and not marks.is_unmodelled:
        asked.append((marks.holds, Answer.BUG))
    fates = [_fate(path, properties, wrong, engine, seconds) for properties, wrong in asked]
    fates.sort(key=lambda found: (found[0], list(Fate).index(found[1])))
    return fates[-1] if fates else (False, Fate.NONE)


def _fate(
    path: Path, properties: frozenset[Property], wrong: Answer, engine: str, seconds: float
) -> tuple[bool, Fate]:
    claims: list[Verdict[Proof]] = []
    task = Task(
        paths=(path,),
        selection=Selection(properties),
        data_model=marks_of(path).data_model,
        harness=marks_of(path).harness,
        limits=Limits(seconds=seconds),
        engines=(engine.split()[0],),
        options=options_of(engine),
        jobs=0,
    )
    for_weak = _recorded(FOR_WEAK, claims)
    try:
        with patch("sley.verification.attempt.FOR_WEAK", for_weak):
            result = verify(task, engines=_recorded(ENGINES, claims))
    except RefusedProofError as refusal:
        is_run = isinstance(refusal, MisfitError)
        return _is_claim(claims[-1], wrong), Fate.RUN if is_run else Fate.REFUSED
    except ReplayError:
        return True, Fate.REPLAY
    except Exception:  # noqa: BLE001 - whatever a fault leads to
        return True, Fate.CRASH
    if result.answer is wrong:
        return True, Fate.WRONG
    if claims and _is_claim(claims[-1], wrong):
        return True, Fate.UNCHECKED
    return False, Fate.RIGHT if result.answer in (Answer.SAFE, Answer.BUG) else Fate.NONE


def options_of(engine: str) -> EngineOptions:
    """The options of an engine, given behind its name as on the command line."""
    name, *flags = engine.split()
    chosen = type(getattr(EngineOptions(), name))
    parser = ArgumentParser()
    add_options(parser, chosen, name)
    return replace(EngineOptions(), **{name: chosen(**vars(parser.parse_args(flags)))})


def _recorded(engines: Mapping[str, AnyEngine], claims: list[Verdict[Proof]]) -> dict[str, AnyEngine]:
    """The engines, which write down what they claim."""

    def recorded(engine: AnyEngine) -> AnyEngine:
        def search(*arguments: Any) -> tuple[Verdict[Proof], Statistics]:
            verdict, statistics = engine.search(*arguments)
            claims.append(verdict)
            return verdict, statistics

        return replace(engine, search=search)

    return {name: recorded(engines[name]) for name in engines}


def _is_claim(verdict: Verdict[Proof], wrong: Answer) -> bool:
    if wrong is Answer.SAFE:
        return isinstance(verdict, Claimed)
    return isinstance(verdict, Unsafe) and verdict.is_certain


def main() -> None:
    """Judge the programs that the command line names."""
    engine, seconds, enough, *names = sys.argv[1:]
    wrong = 0
    for name in names:
        if wrong == int(enough):
            break
        is_wrong, fate = judged(FOLDER / f"{name}.c", engine, float(seconds))
        wrong += is_wrong
        sys.stdout.write(f"{name}\t{'wrong' if is_wrong else 'right'}\t{fate.value}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
