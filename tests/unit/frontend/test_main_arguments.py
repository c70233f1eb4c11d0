"""The parameters of ``main``: what the user says, else a number, so many strings from outside, and null."""

import pytest

from sley.base.errors import InputError
from sley.frontend.main_arguments import AT_LEAST_ONE
from sley.program.instructions import GiveUp
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, of_kind

MEMORY = frozenset({Property.DEREF})
REACH = frozenset({Property.REACH})
MAIN = "#include <assert.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{ {} return 0; }}"


def test_there_is_a_name_unless_asked(c: Lowering) -> None:
    assert c.answer(MAIN.format("assert(argc >= 1);")) is Answer.SAFE
    assert c.answer(MAIN.format("assert(argc >= 1);"), argc_may_be_zero=True) is Answer.BUG
    assert c.answer(MAIN.format("assert(argc >= 0);"), argc_may_be_zero=True) is Answer.SAFE
    assert c.answer(MAIN.format("return argv[0][0];"), argc_may_be_zero=True) is Answer.BUG
    assert c.program(MAIN.format("return argc;")).assumptions == (AT_LEAST_ONE,)
    assert c.program(MAIN.format("")).assumptions == ()


def test_there_may_be_very_many(c: Lowering) -> None:
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
        ("return argv[0][0];", Answer.SAFE),
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
        "if (argc > 9) return argv[9][1];",
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


# --- arguments that the user gives -----------------------------------------------------------------

GIVEN = ("-n", "5", "", "\udcff\N{MICRO SIGN}")


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("assert(argc == 5 && argv[5] == 0);", Answer.SAFE),
        ("assert(argv[1][0] == '-' && argv[1][1] == 'n' && argv[1][2] == 0);", Answer.SAFE),
        ("assert(atoi(argv[2]) == 5 && argv[3][0] == 0);", Answer.SAFE),
        ("assert((unsigned char)argv[4][0] == 255 && argv[4][2] == (char)0xb5 && !argv[4][3]);", Answer.SAFE),
        ("argv[1][1] = 'm'; argv[2] = argv[1]; assert(argv[2][1] == 'm');", Answer.SAFE),
        ("argv[1][3] = 0;", Answer.BUG),
        ("return argv[3][1];", Answer.BUG),
        ("return argv[6] != 0;", Answer.BUG),
        ("free(argv[1]);", Answer.BUG),
        ("argc--; argv++; assert(argc == 4 && argv[0][1] == 'n');", Answer.SAFE),
    ],
)
def test_what_is_given_is_exact(body: str, answer: Answer, c: Lowering) -> None:
    assert c.answer(MAIN.format(body), arguments=GIVEN) is answer


def test_nothing_given_is_only_a_name(c: Lowering) -> None:
    assert c.answer(MAIN.format("assert(argc == 1 && !argv[1]);"), arguments=()) is Answer.SAFE


def test_a_main_in_other_words_gets_them_too(c: Lowering) -> None:
    text = "int main(int number, char *strings[]) { return 1 / (number == 2 && *strings[1] == 'a'); }"
    assert c.answer(text, arguments=("a",)) is Answer.SAFE


def test_what_is_given_lives_as_long_as_the_process(c: Lowering) -> None:
    text = """
#include <pthread.h>
void *reader(void *given) { return (void *)(long)**(char **)given; }
int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, argv + 1);
    pthread_exit(0);
}
"""
    assert c.answer(text, arguments=("a",)) is Answer.SAFE


def test_an_argument_has_no_null_inside(c: Lowering) -> None:
    with pytest.raises(InputError, match="no null character"):
        c.answer(MAIN.format(""), arguments=("a\0b",))
