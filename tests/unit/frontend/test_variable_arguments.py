"""Variable arguments: what is passed is what is read, and no more."""

import pytest

from sley.frontend.data_model import DataModel
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, given_up

MEMORY = frozenset({Property.DEREF})
REACH = frozenset({Property.REACH})


def program(take: str, call: str, before: str = "") -> str:
    return f"""
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
{before}
static long take(int n, ...) {{ va_list ap; va_start(ap, n); {take} va_end(ap); return 0; }}
int main(void) {{ {call} return 0; }}
"""


@pytest.mark.parametrize("model", list(DataModel))
@pytest.mark.parametrize(
    ("take", "call"),
    [
        ("return va_arg(ap, int) + va_arg(ap, int);", "assert(take(0, 1, 2) == 3);"),
        ("int x = va_arg(ap, long long); return x;", "assert(take(0, 5LL) == 5);"),
        ("return va_arg(ap, int) && va_arg(ap, int);", "assert(take(0, 0) == 0 && take(0, 1, 1) == 1);"),
        ("return (long)va_arg(ap, double);", "float f = 2.5f; assert(take(0, f) == 2);"),
        ("return *va_arg(ap, char *);", 'assert(take(0, "ab") == 97);'),
        ("return *va_arg(ap, int *);", "int x = 4; assert(take(0, &x) == 4);"),
        ("struct s { int a, b, c; } s = va_arg(ap, struct s); return s.c + va_arg(ap, int);",
         "struct s { int a, b, c; } s = { 1, 2, 3 }; assert(take(0, s, 4) == 7);"),
        ("while (n--) if (va_arg(ap, int) == 2) return 1;", "assert(take(3, 0, 1, 2) && !take(1, 2 - 1));"),
        ("return ((int (*)(int))va_arg(ap, void *))(4);", "assert(take(0, (void *)twice) == 8);"),
    ],
)  # fmt: skip
def test_what_is_passed_is_read(take: str, call: str, model: DataModel, c: Lowering) -> None:
    text = program(take, call, "static int twice(int x) { return 2 * x; }")
    assert c.answer(text, data_model=model) is Answer.SAFE
    assert c.answer(text.replace("assert(", "assert(!"), data_model=model, properties=REACH) is Answer.BUG


@pytest.mark.parametrize("model", list(DataModel))
def test_a_list_can_be_copied_kept_and_handed_on(model: DataModel, c: Lowering) -> None:
    before = """
struct holder { int n; va_list list; };
static int next(va_list list) { return va_arg(list, int); }
static int first(struct holder *h) { return va_arg(h->list, int); }
"""
    take = """
    struct holder h; va_copy(h.list, ap);
    assert(first(&h) == 1 && first(&h) == 2);
    va_end(h.list); return next(ap);
"""
    text = program(take, "assert(take(0, 1, 2) == 1);", before)
    assert c.answer(text, data_model=model) is Answer.SAFE


@pytest.mark.parametrize(
    "take",
    [
        "va_arg(ap, int); va_arg(ap, int);",
        "va_end(ap); va_arg(ap, int);",
        'vprintf("%d", ap); va_arg(ap, int);',
    ],
)
def test_reading_what_is_not_there_is_found(take: str, c: Lowering) -> None:
    text = program(take, "take(0, 1);")
    assert c.answer(text, properties=MEMORY) is Answer.BUG


def test_recursive_calls_have_their_own_arguments(c: Lowering) -> None:
    take = "int x = va_arg(ap, int); if (n == 0) return x; return take(n - 1, x + 1) * 10 + x;"
    assert c.answer(program(take, "assert(take(2, 1) == (3 * 10 + 2) * 10 + 1);")) is Answer.SAFE


@pytest.mark.parametrize("model", list(DataModel))
@pytest.mark.parametrize(
    "take",
    [
        "return take(n, ap);",
        "void *p = ap; return p != 0;",
        "void *p = (ap); return p != 0;",
        "return kept((ap));",
    ],
)
def test_what_is_not_modelled_is_refused(take: str, model: DataModel, c: Lowering) -> None:
    made = c.program(program(take, "take(0, 1);", "int kept(void *p) { return 0; }"), data_model=model)
    assert given_up(made)
