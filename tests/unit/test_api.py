"""The Python API: its document is true, and its short forms are what they stand for."""

import doctest
from pathlib import Path

import pytest

import sley
from sley.base.errors import InputError
from sley.frontend.data_model import DataModel
from sley.program.memory_model import MemoryModel
from sley.verification.task import Limits

ROOT = Path(__file__).parents[2]


def test_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False, optionflags=flags)
    assert failed == 0
    assert tried > 20


def test_short_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[sley.Task] = []
    monkeypatch.setattr("sley.api.verify", asked.append)
    sley.check(
        "a.c", Path("b.c"), memory_model="TSO", data_model="ilp32", models=["m.c"], time_limit=3, jobs=1
    )
    (task,) = asked
    assert task.paths == (Path("a.c"), Path("b.c"))
    assert (task.memory_model, task.data_model) == (MemoryModel.TSO, DataModel.ILP32)
    assert (task.models, task.limits, task.jobs) == ((Path("m.c"),), Limits(seconds=3), 1)
    assert sley.program.properties.Property.RACE not in task.selection.properties  # a machine knows none


def test_wrong_questions() -> None:
    with pytest.raises(InputError, match="no file to check"):
        sley.check()
    with pytest.raises(InputError, match="memory_model: there is no `vax`"):
        sley.check("a.c", memory_model="vax")
    with pytest.raises(InputError, match="arguments: must be a list of strings"):
        sley.check("a.c", arguments="-n 5")
    with pytest.raises(TypeError):
        sley.check("a.c", colour="red")
    with pytest.raises(ValueError, match="no proof to save"):
        sley.save_proof(sley.check(ROOT / "examples" / "lost_update.c"), "p.json")


def test_a_program_is_started_with_what_is_given(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint main(int argc, char **argv) { assert(argc == 2 && *argv[1] == 'x'); }\n"
    (tmp_path / "a.c").write_text(text)
    assert sley.check(tmp_path / "a.c", arguments=["x"], jobs=0).answer is sley.Answer.SAFE
    assert sley.check(tmp_path / "a.c", arguments=[], jobs=0).answer is sley.Answer.BUG
    result = sley.check(tmp_path / "a.c", arguments=["y"], jobs=0)
    assert result.answer is sley.Answer.BUG
    assert sley.to_dict(result)["task"]["arguments"] == ["y"]


def test_a_library_is_called_by_those_who_are_named(tmp_path: Path) -> None:
    (tmp_path / "lib.c").write_text("static int x;\nvoid f(void) { x = 1; }\nvoid g(void) {}\n")
    racing = sley.check(tmp_path / "lib.c", harness=sley.Harness(entries=("f", "g")), jobs=0)
    assert racing.result == "false(no-data-race)"
    alone = sley.check(tmp_path / "lib.c", harness=sley.Harness(entries=("f",), threads=1, calls=2), jobs=0)
    assert alone.answer is sley.Answer.SAFE
    assert alone.assumptions[0].startswith("the library is used by 1 thread, which calls f 2 times")
