from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.frontend.load import load
from sley.program.instructions import Call
from sley.verification.result import Answer
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.unit.frontend.lowering import Lowering, given_up, of_kind

DECLARED = """
%s
void f(void) {}
__attribute__((constructor)) static void g(void) {}
[[gnu::constructor(7)]] void h(void) {}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("declaration", "order"),
    [
        ("", ["h", "g"]),
        ("void f(void) __attribute__((constructor));", ["h", "f", "g"]),
        ("#define EARLY __attribute__((constructor(5)))\nEARLY void f(void);", ["f", "h", "g"]),
    ],
)
def test_constructors_come_in_order(declaration: str, order: list[str], c: Lowering) -> None:
    main = c.program(DECLARED % declaration).functions["main"]
    assert [call.function for call in of_kind(main, Call)] == order


def test_a_constructor_that_wants_arguments_is_given_up_at(c: Lowering) -> None:
    text = "__attribute__((constructor)) void f(int n, char **v) {}\nint main(void) { return 0; }"
    assert given_up(c.program(text)) == [
        "not modelled: an automatic call of `f`, which has another type",
    ]


def test_words_that_look_like_attributes_do_not_count(c: Lowering) -> None:
    text = (
        'int main(void) { const char *s __attribute__((unused)) = "__attribute__((cleanup(f)))";'
        " return s == 0; }"
    )
    assert c.answer(text) is Answer.SAFE


CLEANED = """
#include <stdlib.h>
static void drop(char **p) { free(*p); }
int main(void) {
    __attribute__((cleanup(drop))) char *block = malloc(3);
    block[0] = 1;
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        ("", Answer.SAFE),
        ("if (block[1] == 1) return 1;", Answer.SAFE),
        ("free(block);", Answer.BUG),
        ("block = 0;", Answer.BUG),
    ],
)
def test_cleaned_up_memory_is_freed_once(statement: str, answer: Answer, c: Lowering) -> None:
    assert c.answer(CLEANED % statement) is answer


def test_cleanup_by_a_function_without_a_body_is_given_up_at(c: Lowering) -> None:
    text = "void f(int *); int main(void) { __attribute__((cleanup(f))) int x = 0; return x; }"
    first, *_ = given_up(c.program(text))
    assert first == "the attribute `cleanup` with `f`, which has no body"


# --- names that stand for something else -----------------------------------------------------------

WEAK = "__attribute__((weak)) int f(void) { return 1; }\nint n __attribute__((weak)) = 1;\n"
STRONG = "int f(void) { return 2; }\nint n = 2;\n"
USE = """
#include <assert.h>
int f(void);
extern int n;
int main(void) { assert(f() == %d && n == %d); return 0; }
"""


@pytest.mark.parametrize(
    ("texts", "value"), [((WEAK,), 1), ((WEAK, STRONG), 2), ((STRONG, WEAK), 2), ((WEAK, WEAK), 1)]
)
def test_a_weak_definition_gives_way(texts: tuple[str, ...], value: int, tmp_path: Path) -> None:
    paths = []
    for number, text in enumerate((USE % (value, value), *texts)):
        paths.append(tmp_path / f"{number}.c")
        paths[-1].write_text(text)
    assert verify(Task(paths=tuple(paths))).answer is Answer.SAFE


def test_two_definitions_that_are_not_weak_are_refused(tmp_path: Path) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text(STRONG)
    (tmp_path / "main.c").write_text(USE % (2, 2))
    with pytest.raises(InputError, match="defined twice"):
        load([tmp_path / name for name in ("main.c", "a.c", "b.c")])


def test_whether_a_weak_function_is_there_is_not_known(c: Lowering) -> None:
    text = "__attribute__((weak)) void f(void); int main(void) { if (f) f(); return 0; }"
    assert c.answer(text) is Answer.UNKNOWN
