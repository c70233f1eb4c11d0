"""The axioms say what is published about the classic tests, and so do the engines."""

from pathlib import Path

import pytest

from sley.frontend.litmus.reading import read_test
from sley.program.memory_model import MemoryModel
from tests.litmus.__main__ import EXACT
from tests.litmus.answers import answered
from tests.litmus.cycles import cycle_test, litmus_text
from tests.litmus.definition import is_allowed
from tests.litmus.published import Case, cases

CASES = [case for case in cases() if case.is_near]
FEW = ("MP", "SB", "CoRR")
"""Families that the short run looks at."""


def first_of_each(model: MemoryModel, families: tuple[str, ...] = FEW) -> list[Case]:
    """One test that is just forbidden, and one that is just allowed, of each family."""
    found: dict[tuple[str, bool], Case] = {}
    for case in CASES:
        if case.model is model and case.family in families:
            found.setdefault((case.family, case.is_forbidden), case)
    return list(found.values())


def problems(chosen: list[Case], model: MemoryModel, engine: str, folder: Path) -> list[str]:
    found = []
    for case in chosen:
        judged = answered(case.test, case.language, model, engine, folder)
        expected = "FORBIDDEN" if case.is_forbidden else "ALLOWED"
        if judged.judgement.value != expected:
            found.append(f"{case.test.name}: {judged.judgement.value} {judged.result.reason}")
    return found


def test_axioms() -> None:
    wrong = [(c.test.name, c.model.value) for c in CASES if is_allowed(c.test, c.model) == c.is_forbidden]
    assert not wrong


@pytest.mark.parametrize(
    ("model", "engine"), [(model, engine) for model, engines in EXACT.items() for engine in engines]
)
def test_engines(model: MemoryModel, engine: str, tmp_path: Path) -> None:
    assert not problems(first_of_each(model), model, engine, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "engine"), [(model, engine) for model, engines in EXACT.items() for engine in engines]
)
def test_engines_on_more(model: MemoryModel, engine: str, tmp_path: Path) -> None:
    every = [case for case in CASES if case.model is model][::5]
    assert not problems(every, model, engine, tmp_path)


def test_texts(tmp_path: Path) -> None:
    """A cycle as text: one line for each instruction, the outcome as a question."""
    test = cycle_test("MP+lwsync+ctrlisync", ["lwsync:WW", "Rfe", "ctrlisync:RR", "Fre"])
    path = tmp_path / "test.litmus"
    path.write_text(litmus_text(test, "PPC"))
    read = read_test(path)
    assert [line.text for line in read.threads[1]][1:5] == ["cmpw r2,r2", "beq LC00", "LC00:", "isync"]
    assert read.question == "exists (1:r2=1 /\\ 1:r4=0)"
