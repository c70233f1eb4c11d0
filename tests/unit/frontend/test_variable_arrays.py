"""Arrays of variable length: lengths are evaluated once, bounds and lifetimes are exact."""

import pytest

from sley.program.instructions import Enter, Leave
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, of_kind

MEMORY = frozenset({Property.DEREF, Property.FREE})


def in_main(body: str) -> str:
    return f"#include <assert.h>\n#include <stdlib.h>\nint main(void) {{ int n = 3; {body} return 0; }}"


@pytest.mark.parametrize(
    "body",
    [
        "int a[n]; a[2] = 1; n = 9; assert(a[2] == 1 && sizeof a == 12);",
        "short a[n][n + 1]; a[2][3] = 7; assert(sizeof a == 24 && sizeof a[0] == 8 && *(*(a + 2) + 3) == 7);",
        "int a[n][2]; a[2][1] = 4; assert(((int *)a)[5] == 4);",
        "int a[2][n]; a[1][2] = 4; int (*p)[n] = a; assert(p[1][2] == 4 && (p + 1)[-1] == a[0]);",
        "struct s { char c; int i; } a[n]; a[2].i = 4; assert(sizeof a == 24 && (&a[2])->i == 4);",
        "int (*p)[n] = malloc(2 * sizeof *p); p[1][2] = 4; assert(((int *)p)[5] == 4); free(p);",
        "int i = 0; int a[++i + 1]; assert(i == 1 && sizeof a == 8);",
        "for (int i = 1; i < 4; i++) { int a[i]; a[i - 1] = i; if (i == 2) continue; }",
        "again:; int a[n]; a[n - 1] = 0; if (--n > 0) goto again;",
        "unsigned char k = 200; k -= 198; int a[k]; a[1] = 0; assert(sizeof a == 8);",
    ],
)
def test_what_is_right_is_safe(body: str, c: Lowering) -> None:
    assert c.answer(in_main(body)) is Answer.SAFE


@pytest.mark.parametrize(
    "body",
    [
        "int a[n]; a[n] = 1;",
        "int a[n]; a[-1] = 1;",
        "int a[n][n]; a[n][0] = 1;",
        "int *p; { int a[n]; p = a; a[0] = 1; } *p = 2;",
        "int *p = 0; again:; if (p) *p = 1; int a[n]; p = a; if (n-- == 3) goto again;",
        "int a[n]; free(a);",
    ],
)
def test_what_is_wrong_is_found(body: str, c: Lowering) -> None:
    assert c.answer(in_main(body), properties=MEMORY) is Answer.BUG


@pytest.mark.parametrize("length", ["0", "-1", "1000000", "n - 3"])
def test_a_length_out_of_reach_is_given_up(length: str, c: Lowering) -> None:
    assert c.answer(in_main(f"int m = {length}; int a[m];")) is Answer.UNKNOWN


def test_parameters_are_measured_by_their_lengths(c: Lowering) -> None:
    text = """
#include <assert.h>
int at(int n, int m, int a[n][m])
{ assert(sizeof a[0] == 4 * m && sizeof a == sizeof(int *)); return a[1][1]; }
int first(int n, int a[n]) { return n ? a[0] : 0; }
int main(void) { int t[6] = { 0, 1, 2, 3, 4, 5 };
    assert(at(2, 3, (int (*)[3])t) == 4 && at(3, 2, (int (*)[2])t) == 3 && first(0, 0) == 0); return 0; }
"""
    assert c.answer(text) is Answer.SAFE


def test_each_way_out_leaves_the_array(c: Lowering) -> None:
    main = c.main("const int n = 2; { int a[n + 0]; if (a == 0) return 1; } return 0;")
    assert {e.object.name for e in of_kind(main, Leave)} == {e.object.name for e in of_kind(main, Enter)}


@pytest.mark.parametrize(
    "body",
    [
        "typedef int row[n]; row a; a[0] = 1;",
        "int a[n]; typeof(a) b; b[0] = 1;",
        "return sizeof(int[n]);",
        "int (*p)[n] = 0; p++;",
    ],
)
def test_what_is_not_modelled_is_refused(body: str, c: Lowering) -> None:
    assert c.answer(in_main(body)) is Answer.UNKNOWN
