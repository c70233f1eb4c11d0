"""What values objects hold: where the tool may say that it does not know, but nothing wrong."""

from sley.verification.result import Answer
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.unit.frontend.lowering import Lowering


def test_bytes_behind_a_small_member_are_not_known(c: Lowering) -> None:
    """C11 6.2.6.1p7: they take unspecified values; half-known scalars are beyond the search."""
    text = """
    #include <assert.h>
    union mixed { unsigned whole; unsigned char first; };
    int main(void) { union mixed mixed; mixed.first = 1; assert(mixed.whole == 1); return 0; }
    """
    assert c.answer(text) in (Answer.BUG, Answer.UNKNOWN)


def test_padding_is_not_known(c: Lowering) -> None:
    text = """
    #include <assert.h>
    struct gap { char tag; int number; };
    int main(void) {
        struct gap gap = {1, 2};
        assert(((unsigned char *)&gap)[1] == 0);
        return 0;
    }
    """
    assert c.answer(text) in (Answer.BUG, Answer.UNKNOWN)


def test_a_compound_assignment_that_does_not_fit_on_an_atomic_object(c: Lowering) -> None:
    text = "_Atomic int n = 3; int main(void) { n *= 2.5; if (n != 7) n += 1e10; return 0; }"
    assert c.answer(text) is Answer.SAFE
    assert c.answer(text.replace("!= 7", "== 7")) is Answer.BUG


def test_an_operator_that_the_parser_refuses_is_no_error_in_the_program(c: Lowering) -> None:
    text = "int cells[2]; int *_Atomic cursor = cells; int main(void) { cursor += 1; return 0; }"
    assert c.answer(text) is Answer.NOT_SUPPORTED


def test_padding_is_compared_with_an_atomic_struct(c: Lowering) -> None:
    text = """
    #include <stdatomic.h>
    struct gap { char tag; int number; };
    _Atomic struct gap shared;
    int main(void) {
        struct gap expected = {0, 0}, wanted = {1, 1};
        return atomic_compare_exchange_strong(&shared, &expected, wanted) ? 0 : 1;
    }
    """
    assert c.answer(text) is Answer.UNKNOWN


def test_a_member_of_an_atomic_struct_is_not_accessed(c: Lowering) -> None:
    """C11 6.5.2.3p5: undefined."""
    declared = "typedef _Atomic struct { int a; } shared; shared x, *p = &x;"
    for statement in ("return x.a;", "x.a = 1; return 0;", "return p->a;", "p->a++; return 0;"):
        assert c.answer(f"{declared} int main(void) {{ {statement} }}") is Answer.UNKNOWN, statement


def test_an_initialiser_that_does_not_fit_has_no_value(c: Lowering) -> None:
    text = "#include <assert.h>\nint x = (int)3e9; int main(void) { assert(x == 0); return 0; }"
    assert c.answer(text) is Answer.UNKNOWN


def test_an_inner_overrun_can_be_allowed(c: Lowering) -> None:
    text = "int m[2][3]; int main(void) { int i = 3; m[0][i] = 1; return m[1][0] != 1; }"
    assert c.answer(text) is Answer.BUG
    task = Task(paths=(c.file(text),), allows_inner_overrun=True)
    result = verify(task)
    assert result.answer is Answer.SAFE
    assert "an index may leave an array inside the same object" in result.assumptions
    assert c.answer(text.replace("i = 3", "i = 6")) is Answer.BUG
    beyond = Task(paths=(c.file(text.replace("i = 3", "i = 6")),), allows_inner_overrun=True)
    assert verify(beyond).answer is Answer.BUG


def test_the_last_array_behind_a_pointer_may_be_longer(c: Lowering) -> None:
    types = "#include <stdlib.h>\nstruct s { int n; int v[1]; }; struct t { struct s s; int after; };\n"
    heap = "struct s *p = malloc(sizeof *p + 8); if (!p) return 1; p->v[2] = 1; free(p); return 0;"
    assert c.answer(f"{types} int main(void) {{ {heap} }}") is Answer.SAFE
    inner = "struct t t = {{0}}, *p = &t; int i = 1; p->s.v[i] = 1; return 0;"
    assert c.answer(f"{types} int main(void) {{ {inner} }}") is Answer.BUG
