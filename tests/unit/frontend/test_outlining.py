import pytest

from sley.program.instructions import Create
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, given_up, of_kind

PROGRAM = "int x; void f(int *p) {} int main(void) { int n = 1; int a[2]; %s return 0; }"


def test_a_labelled_statement_is_a_thread(c: Lowering) -> None:
    made = c.program(PROGRAM % "n = 2; __CPROVER_ASYNC_1: x = n; n = 3;")
    (create,) = of_kind(made.functions["main"], Create)
    assert made.functions[create.function].c_name == "__CPROVER_ASYNC_1"
    assert len(create.arguments) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "__CPROVER_ASYNC_1: f(&n);",
        "__CPROVER_ASYNC_1: x = a[0];",
        "__CPROVER_ASYNC_1: return 1;",
        "while (x) { __CPROVER_ASYNC_1: break; }",
        "__CPROVER_ASYNC_1: { __CPROVER_ASYNC_2: x = 1; }",
    ],
)
def test_what_a_thread_cannot_have_is_given_up_at(statement: str, c: Lowering) -> None:
    assert given_up(c.program(PROGRAM % statement))


def test_loops_may_be_left_inside(c: Lowering) -> None:
    text = PROGRAM % "__CPROVER_ASYNC_1: for (int i = 0; i < 3; i++) { if (i == n) break; else continue; }"
    assert c.answer(text) is Answer.SAFE
