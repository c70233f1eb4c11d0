"""The parameters of ``main``: a positive number, and strings that are not modelled."""

import pytest

from sley.program.instructions import GiveUp
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, of_kind

MEMORY = frozenset({Property.DEREF})
REACH = frozenset({Property.REACH})


def test_there_is_at_least_the_name_of_the_program(c: Lowering) -> None:
    text = "#include <assert.h>\nint main(int argc, char **argv) {{ assert({}); return 0; }}"
    assert c.answer(text.format("argc >= 1")) is Answer.SAFE
    assert c.answer(text.format("argc > 1")) is Answer.BUG
    assert c.answer(text.format("argc < 1000000000"), properties=REACH) is Answer.BUG


def test_arguments_can_be_ignored_passed_and_compared(c: Lowering) -> None:
    text = """
#include <assert.h>
static int same(char **a, void *b) { return a == b; }
int main(int argc, char *argv[], char **envp)
{
    char **end = argv + 1;
    assert(argv && same(argv, argv) && !same(argv, envp) && end != argv && end - argv == 1);
    return 0;
}
"""
    assert c.answer(text) is Answer.SAFE


@pytest.mark.parametrize(
    "use",
    [
        "argv[0] = 0;",
        "char *s = *argv; (void)s;",
        "char **p = argv; p++; take(p);",
        "char ***p = &argv; take(*p);",
        "kept = argv; take(kept + 1);",
        "char c = *(char *)(void *)argv; (void)c;",
        "char **end = argv + 1; if (*end) return 1;",
    ],
)
def test_whoever_looks_at_the_arguments_gives_up(use: str, c: Lowering) -> None:
    before = "char **kept; char *take(char **p) { return p[0]; }"
    text = f"{before}\nint main(int argc, char **argv) {{ {use} return 0; }}"
    assert c.answer(text) is Answer.UNKNOWN


def test_what_happens_before_the_arguments_are_looked_at_is_found(c: Lowering) -> None:
    text = "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 7); return argv[0][0]; }"
    assert c.answer(text) is Answer.BUG


def test_a_wrong_access_to_another_object_is_still_found(c: Lowering) -> None:
    text = "int g[2]; int main(int argc, char **argv) { int *p = argv ? g : 0; return p[-1]; }"
    assert c.answer(text, properties=MEMORY) is Answer.BUG


def test_unmentioned_arguments_cost_nothing(c: Lowering) -> None:
    made = c.program("int *p; int main(int argc, char **argv) { return *p; }")
    assert not of_kind(made.functions["main"], GiveUp)
    assert [o.c_name for o in made.objects] == ["p"]
