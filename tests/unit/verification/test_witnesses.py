"""Witnesses are read, refused, followed and judged."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError
from sley.base.source import Span
from sley.frontend.data_model import DataModel
from sley.program.properties import Property
from sley.reports.validation import validation_report
from sley.reports.witnesses.yaml_format import witness_of
from sley.verification.observer import SilentObserver
from sley.verification.property_files import Selection
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify
from sley.verification.witnesses.agreement import agreed
from sley.verification.witnesses.expressions import condition_of, printed
from sley.verification.witnesses.validate import Validation, WitnessJudgement, validate
from sley.verification.witnesses.yaml_format import read_witness
from tests.limits import AMPLE

PROGRAM = """#include <pthread.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
int x, y;
void *writer(void *p) {
    x = __VERIFIER_nondet_int();
    y = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (y == 1) {
        int z = x;
        if (z == 4711)
            reach_error();
    }
    pthread_join(t, 0);
    return 0;
}
"""

COUNTING = """int main(void) {
    int i = 0;
    int s = 0;
    while (i < 5) {
        i = i + 1;
        s = s + 2;
    }
    return s;
}
"""

PROGRAMS = Path(__file__).parents[2] / "programs"

REACH = Selection(frozenset({Property.REACH}), "reach_error")


@pytest.fixture(scope="module")
def bug(tmp_path_factory: pytest.TempPathFactory) -> Result:
    file = tmp_path_factory.mktemp("program") / "a.c"
    file.write_text(PROGRAM)
    return verify(Task(paths=(file,), selection=REACH, jobs=0))


def judged(task: Task, witness: Path, *, asks: bool = False, has_model: bool = False) -> Validation:
    document = read_witness(witness)
    task = agreed(replace(task, jobs=0), document, asks=asks, has_model=has_model)
    return validate(task, document, SilentObserver(), Budget(AMPLE))


def written(bug: Result, folder: Path, name: str, change: Callable[[str], str] = str) -> Path:
    text = witness_of(bug, Path(name))
    assert text is not None
    changed = change(text)
    assert changed != text or change is str
    (folder / name).write_text(changed)
    return folder / name


def test_our_own_witnesses_are_confirmed(bug: Result, tmp_path: Path) -> None:
    found = judged(bug.task, written(bug, tmp_path, "w.yml"))
    assert (found.judgement, found.result) == (WitnessJudgement.CONFIRMED, "false(unreach-call)")
    assert found.trace is not None
    assert found.trace.failure.property is Property.REACH
    text = "".join(segment.text for line in validation_report(found) for segment in line)
    assert text.startswith(" CONFIRMED  A run that follows the witness was found and replayed.")


@pytest.mark.parametrize(
    "program", ["lock_free/queue_aba", "deadlock/semaphore_never_posted", "race/bit_fields"]
)
def test_what_a_witness_says_is_true_of_its_run(tmp_path: Path, program: str) -> None:
    """What is false of the run would be refuted: values that are out of date, interrupted statements."""
    result = verify(Task(paths=(PROGRAMS / f"{program}.c",), jobs=0))
    assert judged(result.task, written(result, tmp_path, "w.yml")).judgement is WitnessJudgement.CONFIRMED


def test_an_input_that_does_not_fail_is_refuted(bug: Result, tmp_path: Path) -> None:
    witness = written(bug, tmp_path, "w.yml", lambda text: text.replace("4711", "12"))
    found = judged(bug.task, witness)
    assert (found.judgement, found.result) == (WitnessJudgement.REFUTED, "unknown")


def test_an_order_that_does_not_fail_is_refuted(bug: Result, tmp_path: Path) -> None:
    witness = written(bug, tmp_path, "w.yml", lambda text: text.replace("y == 1", "y == 0"))
    assert judged(bug.task, witness).judgement is WitnessJudgement.REFUTED


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("- entry_type", "- - entry_type: {", "not a YAML file"),
        ("- entry_type", "  entry_type", "a list is expected"),
        ("violation_sequence", "violation", "entry_type: `violation` is none of"),
        ("format_version: '2.2'", "format_version: '3.0'", "format 3.0, of which I know only"),
        ("type: assumption", "type: guess", "type: `guess` is none of"),
        ("action: follow", "action: ignore", "action: `ignore` is none of"),
        ("line: 12", "line: twelve", "line: `twelve` is no number from 1 on"),
        ("line: 12", "line: 1200", "a.c has no line 1200"),
        ("file_name", "name", "location: `file_name` is missing"),
        ("thread_id: 1", "thread_id: 4", "thread 4 acts, but only 1 have been created"),
        ("\\result == 4711", "\\result", "a constraint on `\\result` is a comparison"),
        ("y == 1", "y = 1", "`y = 1` is not a C expression"),
        ("type: target", "type: function_enter", "the last segment, and no other, ends"),
        ("data_model: LP64", "data_model: LP65", "data_model: `LP65` is none of"),
        ("language: C", "language: Ada", "language: `Ada` is none of C"),
    ],
)
def test_damaged_witnesses_are_refused(bug: Result, tmp_path: Path, old: str, new: str, message: str) -> None:
    witness = written(bug, tmp_path, "w.yml", lambda text: text.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        judged(bug.task, witness)
    assert message in str(error.value)
    assert error.value.span is not None
    assert error.value.span.file == str(witness)


def test_witnesses_for_something_else_are_refused(bug: Result, tmp_path: Path) -> None:
    witness = written(bug, tmp_path, "w.yml")
    races = replace(bug.task, selection=Selection(frozenset({Property.RACE})))
    with pytest.raises(InputError, match="a witness for another specification"):
        judged(races, witness, asks=True)
    with pytest.raises(InputError, match="a witness for LP64, not for ILP32"):
        judged(replace(bug.task, data_model=DataModel.ILP32), witness, has_model=True)
    other = tmp_path / "a.c"
    other.write_text(PROGRAM.replace("4711", "4712"))
    with pytest.raises(InputError, match=r"another program than .*a\.c: the hash differs"):
        judged(replace(bug.task, paths=(other,)), witness)


def test_threads_whose_creation_is_not_found_may_be_anybody(bug: Result, tmp_path: Path) -> None:
    witness = written(bug, tmp_path, "w.yml", lambda text: text.replace("line: 12", "line: 11"))
    found = judged(bug.task, witness)
    assert found.judgement is WitnessJudgement.CONFIRMED
    assert "line 11" in found.why[1]


def test_what_the_search_does_not_know_is_not_refuted(bug: Result, tmp_path: Path) -> None:
    formula = "! call(reach_error())"
    witness = written(bug, tmp_path, "w.yml", lambda text: text.replace(formula, "! no-progress"))
    found = judged(bug.task, witness)
    assert found.judgement is WitnessJudgement.UNKNOWN
    assert "no-progress is not looked for along a witness" in found.why[0]


def test_a_target_where_nothing_happens_is_refused(bug: Result, tmp_path: Path) -> None:
    witness = written(bug, tmp_path, "w.yml", lambda text: text.replace("line: 16", "line: 20"))
    with pytest.raises(InputError, match="nothing happens in line 20"):
        judged(bug.task, witness)


# --- correctness -----------------------------------------------------------------------------------


def correctness(
    tmp_path: Path, place: str, value: str, *, is_loop: bool = True, text: str = COUNTING
) -> tuple[Task, Path]:
    program, witness = tmp_path / "c.c", tmp_path / "w.yml"
    program.write_text(text)
    kind = "loop_invariant" if is_loop else "location_invariant"
    witness.write_text(
        f"""- entry_type: invariant_set
  metadata:
    format_version: "2.0"
    task:
      input_files: [c.c]
      input_file_hashes: {{ c.c: {hashlib.sha256(text.encode()).hexdigest()} }}
      specification: G ! overflow
      data_model: LP64
      language: C
  content:
  - invariant:
      type: {kind}
      location: {{ file_name: c.c, {place}, function: main }}
      value: "{value}"
      format: c_expression
"""
    )
    return Task(paths=(program,)), witness


@pytest.mark.parametrize(
    ("place", "value", "is_loop", "judgement"),
    [
        ("line: 4, column: 5", "s == 2 * i", True, WitnessJudgement.CONFIRMED),
        ("line: 4", "s <= 10", True, WitnessJudgement.CONFIRMED),
        ("line: 6, column: 9", "s == 2 * i - 2", False, WitnessJudgement.CONFIRMED),
        ("line: 4, column: 5", "i < 5", True, WitnessJudgement.REFUTED),
        ("line: 6, column: 9", "s == 2 * i", False, WitnessJudgement.REFUTED),
    ],
)
def test_invariants_are_judged(
    tmp_path: Path, place: str, value: str, is_loop: bool, judgement: WitnessJudgement
) -> None:
    task, witness = correctness(tmp_path, place, value, is_loop=is_loop)
    found = judged(task, witness)
    assert found.judgement is judgement
    assert (found.result == "true") is (judgement is WitnessJudgement.CONFIRMED)
    assert (found.trace is None) is (judgement is WitnessJudgement.CONFIRMED)


@pytest.mark.parametrize(
    "before",
    [
        "#define if(x) while (0)\n",
        "#define if(x) if (0 && (x))\n",
        "#\\\ndefine /* */ if(x) if (0 && (x))\n",
        "#define __VERIFIER_atomic_begin(...) a_##__VA_ARGS__\n#define a_ if (0) {\n#define a_void *q\n"
        "#define __VERIFIER_atomic_end(...) b_##__VA_ARGS__\n#define b_ }\n#define b_void *r\n",
        "// \\\n    while (1) {}\n",
        "#if 0\n    while (1) {}\n#endif\n",
    ],
)
def test_an_invariant_that_the_compiler_does_not_see_is_not_confirmed(tmp_path: Path, before: str) -> None:
    is_loop_hidden = "while (1)" in before
    line = 2 if is_loop_hidden else 4 + before.count("\n")
    task, witness = correctness(tmp_path, f"line: {line}", "0", text=before + COUNTING)
    with pytest.raises(GaveUpError, match="is not read as one where it is said to hold"):
        judged(task, witness)


def test_a_witness_that_was_written_with_options_is_judged_with_them(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("#include <assert.h>\nint main(void) { assert(N > 1); return 0; }\n")
    for value in (1, 2):
        selection = Selection(frozenset({Property.REACH}))
        task = Task(
            paths=(program,), selection=selection, defines=(f"N={value}",), wants_invariants=True, jobs=0
        )
        witness = tmp_path / "w.yml"
        witness.write_text(str(witness_of(verify(task), witness)))
        assert judged(task, witness, asks=True).judgement is WitnessJudgement.CONFIRMED


@pytest.mark.parametrize(
    ("place", "value", "is_loop", "message"),
    [
        ("line: 2, column: 5", "i == 0", True, "no loop in line 2"),
        ("line: 4, column: 7", "i == 0", True, "no loop in line 4"),
        ("line: 400", "i == 0", True, "c.c has no line 400"),
        ("line: 4", "j == 0", True, "no C at its place: use of undeclared identifier 'j'"),
        ("line: 4", "i ==", True, "no C at its place: expected expression"),
        ("line: 4", "s[i++] == 0", True, "`s[i++] == 0` is not a C expression"),
        ("line: 4", "i == main()", True, "the invariant `i == main()` calls a function or has other effects"),
        ("line: 4", "AGAIN == 0", True, "the invariant `AGAIN == 0` calls a function or has other effects"),
        ("line: 4", "NEXT != 0", True, "the invariant `NEXT != 0` calls a function or has other effects"),
    ],
)
def test_invariants_that_cannot_be_there_are_refused(
    tmp_path: Path, place: str, value: str, is_loop: bool, message: str
) -> None:
    task, witness = correctness(tmp_path, place, value, is_loop=is_loop)
    task = replace(task, defines=("AGAIN=main()", "NEXT=(i+=1)"))
    with pytest.raises(InputError) as error:
        judged(task, witness)
    assert message in str(error.value)
    assert error.value.span is not None
    assert error.value.span.file == str(witness)


def test_a_false_invariant_is_shown_in_the_program_of_the_user(tmp_path: Path) -> None:
    task, witness = correctness(tmp_path, "line: 4, column: 5", "i < 5 && (1)")
    lines = validation_report(judged(task, witness))
    text = "\n".join("".join(segment.text for segment in line) for line in lines)
    assert "the invariant `i < 5 && (1)` can be false" in text
    assert f"{task.paths[0].name}:4" in text
    assert "__" not in text
    assert "sley-witness" not in text


def test_an_invariant_inside_a_statement_is_given_up(tmp_path: Path) -> None:
    task, witness = correctness(tmp_path, "line: 4, column: 12", "1", is_loop=False)
    with pytest.raises(GaveUpError, match="no statement can be put"):
        judged(task, witness)


# --- expressions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "conjuncts"),
    [
        ("a == 3 && b != -3", [("a", "==", 3), ("b", "!=", -3)]),
        ("(a < 0x10) && (((7L >= b)))", [("a", "<", 16), ("b", "<=", 7)]),
        ("\\result == 4711", [("\\result", "==", 4711)]),
        ("a == 3 && p->next == 0", [("a", "==", 3), None]),
        ("a == 3 || b == 4", [None]),
        ("a == 3 && b == 4 || c == 5", [None]),
        ("a == 3 ? b == 1 && c : d", [None]),
        ("(a == 3) + (b == 4)", [None]),
        ("a == b && a == 4294967295u && a == 010 && f(2, a)", [None, None, None, None]),
        ("1", [None]),
    ],
)
def test_comparisons_with_constants_are_told_from_the_rest(text: str, conjuncts: list[object]) -> None:
    assert list(condition_of(text, Span("w", 1, 1))) == conjuncts


@pytest.mark.parametrize("text", ["", "(a", "a)) || ((b", "a = 3", "a[1", "a; b", "i++", "{ }", "@"])
def test_what_does_not_stay_one_expression_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        printed(text, Span("w", 1, 1))


def test_no_comment_is_left() -> None:
    assert printed("a /* b */ // c", Span("w", 1, 1)) == "a / * b * / / / c"
