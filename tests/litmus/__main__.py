"""``python -m tests.litmus``: the classic tests in all their variants, by engines, beside what is published.

A row for each model and engine; whatever is different or undecided is told. ``--write FOLDER`` writes the
tests instead, with a table of what is expected, for ``sley litmus FOLDER --expected FOLDER/expected.csv``.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from sley.program.memory_model import MemoryModel
from tests.litmus.answers import answered
from tests.litmus.cycles import litmus_text
from tests.litmus.published import Case, cases

EXACT = {
    MemoryModel.SC: ("bmc", "explore"),
    MemoryModel.C11: ("bmc", "explore"),
    MemoryModel.TSO: ("bmc", "explore"),
    MemoryModel.PSO: ("bmc", "explore"),
    MemoryModel.RMO: ("bmc",),
    MemoryModel.POWER: ("bmc",),
    MemoryModel.ARMV8: ("bmc",),
}
"""Who decides all tests of a model."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge what the arguments ask for; 1 if an answer is different or missing."""
    parser = argparse.ArgumentParser(prog="tests.litmus", description=__doc__)
    parser.add_argument("--model", choices=[one.value for one in MemoryModel])
    parser.add_argument("--engine", choices=["bmc", "explore"])
    parser.add_argument("--family")
    parser.add_argument("--sample", type=int, help="draw so many tests of each model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    chosen = [
        case
        for case in cases()
        if asked.model in (None, case.model.value) and asked.family in (None, case.family)
    ]
    if asked.write is not None:
        write(chosen, asked.write)
        return 0
    is_good = True
    for model in MemoryModel:
        mine = [case for case in chosen if case.model is model]
        if asked.sample is not None:
            mine = Random(asked.seed).sample(mine, min(asked.sample, len(mine)))
        for engine in EXACT[model]:
            if mine and asked.engine in (None, engine):
                is_good &= judge(mine, model, engine)
    return 0 if is_good else 1


def judge(chosen: Sequence[Case], model: MemoryModel, engine: str) -> bool:
    """Whether an engine says what is published about all tests."""
    started, counts = time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for case in chosen:
            judged = answered(case.test, case.language, model, engine, Path(folder))
            expected = "forbidden" if case.is_forbidden else "allowed"
            found = judged.judgement.value.lower()
            word = "right" if found == expected else "wrong" if judged.holds is not None else "undecided"
            counts[word] += 1
            if word != "right":
                what = f"{case.language} {case.test.name} under {model.value}"
                _say(f"{word}: {what}: {found} {judged.result.reason or ''}")
    each = ", ".join(f"{counts[word]} {word}" for word in ("right", "wrong", "undecided"))
    _say(f"{model.value:<6} {engine:<8} {len(chosen):>5} tests: {each}, {time.monotonic() - started:.0f} s")
    return counts["right"] == len(chosen)


def write(chosen: Sequence[Case], folder: Path) -> None:
    """The tests as files."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [model.value for model in MemoryModel]
    expected: dict[tuple[str, str], dict[str, str]] = {}
    for case in chosen:
        name = f"{case.language}-{case.test.name}"
        (folder / f"{name}.litmus").write_text(litmus_text(case.test, case.language))
        row = expected.setdefault((case.test.name, case.language), {})
        row[case.model.value] = "forbidden" if case.is_forbidden else "allowed"
    (folder / "expected.csv").write_text("".join(_lines(expected, names)))


def _lines(expected: dict[tuple[str, str], dict[str, str]], names: Sequence[str]) -> Iterator[str]:
    yield f"test,{','.join(names)}\n"
    for (name, _), row in expected.items():
        yield f"{name},{','.join(row.get(model, '') for model in names)}\n"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
