"""What belongs to a proof: that nothing happens that it is about, or that runs may end before."""

from pathlib import Path

import pytest

from sley.program.properties import PROPERTY_GROUPS
from sley.reports.caveats import in_words, sentences
from sley.verification import not_asked, vacuity
from sley.verification.caveats import Constant, How, Missing, NotAsked, Vacuity
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Task
from sley.verification.verify import verify

PROGRAMS = Path("tests/programs/vacuous")

SAID = {
    "returns_early": "but line 24 always returns: no thread is started and no assertion is reached",
    "returns_on_two_ways": "but no thread is started",
    "assumption_never_holds": "but the assumption in line 14 never holds: no assertion is reached",
    "always_exits": "but line 9 always ends the program: what comes after it in `main` is not reached",
    "meant_never_to_be_reached": "",
    "cleaning_up_is_not_needed": "",
    "one_input_of_many": "",
    "locked_and_unlocked": "",
}


def result_of(file: Path, *names: str, **more: object) -> Result:
    groups = [PROPERTY_GROUPS[name] for name in names]
    chosen = {"selection": Selection(frozenset().union(*groups))} if groups else {}
    return verify(Task(paths=(file,), **{**chosen, **more}))  # type: ignore[arg-type]


def written(tmp_path: Path, text: str, name: str = "a.c") -> Path:
    file = tmp_path / name
    file.write_text(text)
    return file


@pytest.mark.parametrize("name", SAID)
def test_what_does_not_happen_is_said(name: str) -> None:
    result = result_of(PROGRAMS / f"{name}.c")
    assert result.answer is Answer.SAFE
    assert in_words(result) == SAID[name]


@pytest.mark.parametrize("engine", ["explore", "bmc", "impact", "abstract"])
def test_whoever_has_the_answer(engine: str) -> None:
    result = result_of(PROGRAMS / "returns_early.c", engines=(engine,))
    assert (result.answer, result.engine) == (Answer.SAFE, engine)
    assert in_words(result) == SAID["returns_early"]


def test_a_place_and_what_it_rests_on_are_known() -> None:
    found = result_of(PROGRAMS / "returns_early.c")
    threads, assertions = found.caveats
    assert isinstance(threads, Vacuity)
    assert isinstance(assertions, Vacuity)
    assert (threads.missing, assertions.missing) == (Missing.THREADS, Missing.ASSERTIONS)
    assert threads.end is not None
    assert threads.end.how is How.RETURN
    assert threads.is_proved
    assert [(one.name, one.value) for one in threads.because_of] == [("base_new", 0)]
    assert sentences(found) == ["That rests on `base_new`, which always returns 0 (returns_early.c:13)."]


def test_assertions_do_not_matter_where_they_are_not_asked_about() -> None:
    assert in_words(result_of(PROGRAMS / "returns_early.c", "race")) == (
        "but line 24 always returns: no thread is started"
    )
    assert result_of(PROGRAMS / "assumption_never_holds.c", "race").caveats == ()


def test_a_large_program_has_no_place() -> None:
    found = result_of(PROGRAMS / "returns_early.c", "race", each_check=True)
    assert found.engine == "abstract"
    assert "no thread is started" in in_words(found)


def test_what_no_engine_knows_is_only_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacuity, "never", lambda *_: None)
    found = result_of(PROGRAMS / "returns_early.c")
    assert in_words(found) == (
        "but 30 random runs all ended in line 24, and no thread was started and no assertion was reached "
        "(whether that can happen is not known)"
    )
    found = result_of(PROGRAMS / "returns_on_two_ways.c")
    assert in_words(found) == (
        "but in 30 random runs no thread was started (whether that can happen is not known)"
    )


def test_where_no_run_ends_nothing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\nint main(void) {\n  unsigned long done = 0;\n"
        "  while (done < 100000) done++;\n  assert(done);\n  return 0; }\n"
    )
    monkeypatch.setattr(vacuity, "never", lambda *_: None)
    monkeypatch.setattr(vacuity, "FIRST_STEPS", 5)
    monkeypatch.setattr(vacuity, "GOAL_STEPS", 5)
    assert result_of(written(tmp_path, text), "reach", engines=("abstract",)).caveats == ()


def test_an_error_function_counts_where_it_is_decided(tmp_path: Path) -> None:
    head = "void reach_error(void) {}\nint nothing(void) { return 0; }\n"
    check = "static void check(int c) { if (!c) reach_error(); }\n"
    early = written(tmp_path, f"{head}{check}int main(void) {{\n if (!nothing()) return 1;\n check(0); }}\n")
    assert in_words(result_of(early, "reach")) == "but line 5 always returns: no assertion is reached"
    selection = Selection(PROPERTY_GROUPS["reach"], error_call="reach_error")
    assert in_words(result_of(early, selection=selection)) == in_words(result_of(early, "reach"))
    there = written(tmp_path, f"{head}{check}int main(void) {{ check(!nothing()); return 0; }}\n", "b.c")
    assert in_words(result_of(there, "reach")) == ""


def test_models_of_the_user_are_assumed(tmp_path: Path) -> None:
    text = (
        "#include <pthread.h>\nint *base_new(void);\nvoid *work(void *p) { return p; }\n"
        "int main(void) {\n  pthread_t t;\n  if (!base_new())\n    return 1;\n"
        "  pthread_create(&t, 0, work, 0);\n  return 0; }\n"
    )
    models = written(
        tmp_path, "int *base_new(void) { return 0; }\nint unused(void) { return 0; }\n", "models.c"
    )
    found = result_of(written(tmp_path, text), models=(models,))
    assert found.assumptions[0] == "`base_new` does what models.c says"
    assert in_words(found) == "but line 7 always returns: no thread is started"
    (caveat,) = found.caveats
    assert isinstance(caveat, Vacuity)
    assert [one.name for one in caveat.because_of] == ["base_new"]
    assert isinstance(caveat.because_of[0], Constant)


def test_what_goes_wrong_unasked_is_no_assumption(tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\nint zero;\nint main(void) {\n  int x = 1 / zero;\n"
        "  assert(x == 3);\n  return 0; }\n"
    )
    found = result_of(written(tmp_path, text), "reach")
    assert in_words(found) == (
        "but line 4 always goes wrong, which is not asked about: no assertion is reached; "
        "but some runs end in line 4: division by zero: `1 / zero` (not asked: division)"
    )


# --- what is not asked about ------------------------------------------------------------------------


def test_what_ends_runs_before_a_race_is_said() -> None:
    found = result_of(PROGRAMS / "unlock_before_race.c", "race")
    assert found.answer is Answer.SAFE
    assert in_words(found) == (
        "but some runs end in line 10: unlock of a mutex that the thread does not hold: "
        "`pthread_mutex_unlock(&lock);` (not asked: misuse)"
    )


def test_what_is_proved_not_to_happen_is_not_said() -> None:
    found = result_of(PROGRAMS / "locked_and_unlocked.c", "race")
    assert found.answer is Answer.SAFE
    assert "a wrong use of a library function ends the run" in found.assumptions
    assert found.caveats == ()


def test_what_is_not_excluded_is_a_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(not_asked, "never", lambda *_: None)
    found = result_of(PROGRAMS / "locked_and_unlocked.c", "race")
    assert all(isinstance(one, NotAsked) and one.failure is None for one in found.caveats)
    assert in_words(found) == "if no library function is used wrongly (not asked: misuse)"
