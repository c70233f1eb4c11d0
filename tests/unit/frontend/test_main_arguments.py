"""The parameters of ``main``: a number that is not negative, so many strings from outside, and null."""

import pytest

from sley.program.instructions import GiveUp
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, of_kind

MEMORY = frozenset({Property.DEREF})
REACH = frozenset({Property.REACH})
MAIN = "#include <assert.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{ {} return 0; }}"


def test_there_need_not_be_any(c: Lowering) -> None:
    assert c.answer(MAIN.format("assert(argc >= 0);")) is Answer.SAFE
    assert c.answer(MAIN.format("assert(argc >= 1);")) is Answer.BUG
    assert c.answer(MAIN.format("assert(argc < 1000000000);"), properties=REACH) is Answer.BUG


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("assert(argv[argc] == 0);", Answer.SAFE),
        ("for (int i = 0; i < argc && i < 3; i++) assert(argv[i] != 0);", Answer.SAFE),
        ("if (argc > 1) assert(argv[0] != argv[1]);", Answer.SAFE),
        ("if (argc > 2) return argv[2][0] == '-';", Answer.SAFE),
        ("int n = argc > 1 ? atoi(argv[1]) : 4; if (n < 1 || n > 8) n = 4; assert(n < 9);", Answer.SAFE),
        ("char **next = argv; if (*next) next++; if (argc > 1) assert(*next);", Answer.SAFE),
        ("return argv[0][0];", Answer.BUG),
        ("if (argc == 2) return argv[3] != 0;", Answer.BUG),
        ("return argv[argc + 1] != 0;", Answer.BUG),
    ],
)
def test_arguments_are_strings_and_end_with_null(body: str, answer: Answer, c: Lowering) -> None:
    assert c.answer(MAIN.format(body)) is answer


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
        "if (argc) argv[0][0] = 'x';",
        "if (argc) return argv[0][1];",
        "char c = *(char *)(void *)argv; (void)c;",
        "char **p = envp; if (*p) return 1;",
    ],
)
def test_whoever_looks_further_gives_up(use: str, c: Lowering) -> None:
    assert c.answer(f"int main(int argc, char **argv, char **envp) {{ {use} return 0; }}") is Answer.UNKNOWN


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
