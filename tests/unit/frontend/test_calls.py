import pytest

from sley.frontend.data_model import DataModel
from sley.frontend.load import load
from sley.program.instructions import (
    Allocate,
    Call,
    CallPointer,
    CallUnmodelled,
    Create,
    CreatePointer,
    Havoc,
    Load,
    Store,
)
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, given_up, of_kind


def test_a_known_function_pointer_is_a_plain_call(c: Lowering) -> None:
    main = c.main("int (*const p)(int) = f; return (*f)(1) + (&f)(2);", "int f(int x) { return x; }")
    assert [call.function for call in of_kind(main, Call)] == ["f", "f"]


def test_an_unknown_function_pointer_is_called_through(c: Lowering) -> None:
    main = c.main("return p(1);", "int f(int x) { return x; } int (*p)(int) = f;")
    assert len(of_kind(main, CallPointer)) == 1


def test_a_record_is_passed_as_its_scalars(c: Lowering) -> None:
    before = "struct p { int a; char b; }; int f(struct p x, int y) { return x.a + y; } struct p g;"
    (call,) = of_kind(c.main("return f(g, 1);", before), Call)
    assert len(call.arguments) == 3


def test_a_record_is_returned_through_a_hidden_pointer(c: Lowering) -> None:
    before = "struct p { int a; char b; }; struct p f(void) { struct p x = { 1, 2 }; return x; }"
    (call,) = of_kind(c.main("return f().a;", before), Call)
    assert call.target is None
    assert len(call.arguments) == 1


def test_a_start_function_without_a_prototype_is_a_thread(c: Lowering) -> None:
    text = """
#include <pthread.h>
#include <assert.h>
int x;
void *worker() { x = 1; return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    worker();
    assert(x == 1);
    return 0;
}
"""
    assert c.answer(text) is Answer.SAFE


def test_a_start_function_that_is_known_needs_no_pointer(c: Lowering) -> None:
    before = '#include "sley.h"\nvoid *f(void *a) { return a; } sley_start p = f;'
    text = f"{before}\nint main(void) {{ __sley_create(f, 0); __sley_create(p, 0); return 0; }}"
    path = c.file(text.replace('#include "sley.h"\n', ""))
    main = c.program(path.read_text()).functions["main"]
    assert [create.function for create in of_kind(main, Create)] == ["f"]
    assert len(of_kind(main, CreatePointer)) == 1


@pytest.mark.parametrize(
    ("statement", "name", "cells", "stride"),
    [
        ("struct n *p = malloc(sizeof(struct n));", "n", 2, 16),
        ("struct n *p = (struct n *)malloc(16);", "n", 2, 16),
        ("void *p = malloc(sizeof(struct n));", "n", 2, 16),
        ("void *p = malloc(3 * sizeof(int));", "block", 1, 1),
        ("int *p = calloc(3, sizeof *p);", "block", 1, 4),
        ("char *p = malloc(10);", "block", 1, 1),
        ("void *p = malloc(10);", "block", 1, 1),
        ("int **p = malloc(8 * sizeof *p);", "pointers", 1, 8),
        ("struct f *p = malloc(sizeof *p + 2 * sizeof(short));", "f", 3, 8),
    ],
)
def test_the_layout_of_a_block_comes_from_its_use(
    c: Lowering, statement: str, name: str, cells: int, stride: int
) -> None:
    before = "#include <stdlib.h>\nstruct n { struct n *next; int v; }; struct f { int n; short data[]; };"
    (block,) = of_kind(c.main(f"{statement} return p != 0;", before), Allocate)
    assert (block.name, len(block.layout.cells), block.layout.stride) == (name, cells, stride)
    assert block.is_zeroed == ("calloc" in statement)


def test_definitions_of_the_user_win(c: Lowering) -> None:
    made = c.program("int abs(int x) { return 7; } int main(void) { return abs(-1); }")
    assert not made.functions["abs"].is_library
    assert made.functions["abs"].c_name == "abs"


def test_output_is_evaluated_and_ignored(c: Lowering) -> None:
    text = (
        '#include <stdio.h>\n#include <assert.h>\nint main(void) {\n  int i = 1;\n  printf("%d", i++);\n'
        '  fprintf(stderr, "%s", "x");\n  puts("y");\n  assert(i == 2);\n  return 0;\n}'
    )
    assert c.answer(text) is Answer.SAFE


@pytest.mark.parametrize(
    "name", ["_Bool", "char", "unsigned char", "short", "int", "unsigned long", "void *"]
)
def test_arbitrary_values_have_the_type_of_their_function(c: Lowering, name: str) -> None:
    main = c.main(f"{name} x = __VERIFIER_nondet_x(); return x != 0;", f"{name} __VERIFIER_nondet_x(void);")
    (havoc,) = of_kind(main, Havoc)
    assert havoc.target.c_name == "x"
    assert havoc.text == "__VERIFIER_nondet_x()"


def test_an_unknown_function_makes_its_result_arbitrary(c: Lowering) -> None:
    text = "#include <assert.h>\nint f(int *p);\nint main(void) { int x = 1; f(&x); assert(x == 1); }"
    assert c.answer(text) is Answer.UNKNOWN
    made = c.program(text)
    (call,) = of_kind(made.functions["main"], CallUnmodelled)
    assert call.function == "f"


def test_a_function_without_a_body_changes_what_c_lets_it(c: Lowering) -> None:
    made = c.program(
        "struct s { int a; char text[8]; struct s *next; int last[2]; } x, *p = &x;\n"
        "void f(const char *read, const struct s *deep, void *whole, int *member, char *row, void *end);\n"
        "int main(void) { f(x.text, p, p, &p->a, p->text, p->last); }"
    )
    (call,) = of_kind(made.functions["main"], CallUnmodelled)
    assert call.extents == (0, None, None, 4, 8, None)


def test_an_implicit_declaration_is_converted_to_the_definition(c: Lowering) -> None:
    text = (
        "#include <assert.h>\nint main(void) { assert(f(3) == 6); return 0; }\n"
        "int f(long x) { return x * 2; }\n"
    )
    assert c.answer(text.replace("int f(long x)", "int f(x) int x;")) is Answer.SAFE


def test_kept_frames_hold_pointers_in_memory(c: Lowering) -> None:
    text = "#include <stdlib.h>\nint main(void) { int n = 4; int *p = malloc(n); *p = 1; exit(0); }"
    path = c.file(text)
    kept, plain = load([path], keeps_frames=True), load([path])
    assert (kept.keeps_frames, plain.keeps_frames) == (True, False)
    assert [o.c_name for o in kept.functions["main"].objects] == ["p"]
    assert not plain.functions["main"].objects
    nothing_allocated = c.file("int main(void) { int x, *p = &x; return p == 0; }")
    assert not load([nothing_allocated], keeps_frames=True).keeps_frames


def copies(c: Lowering, body: str) -> tuple[list[str], list[str], list[str]]:
    """What is read, what is written, and which functions are called."""
    before = (
        "#include <string.h>\nstruct s { int a; char b; int *p; } x, y, *q = &y; int m[3], n[3]; char t[20];"
    )
    main = c.main(f"{body} return 0;", before)
    reads = [i.access.text for i in of_kind(main, Load)]
    writes = [i.access.text for i in of_kind(main, Store)]
    return reads, writes, [i.function for i in of_kind(main, Call)]


@pytest.mark.parametrize(
    ("body", "reads", "writes"),
    [
        ("memcpy(&x, &y, sizeof x);", ["y.a", "y.b", "y.p"], ["x.a", "x.b", "x.p"]),
        ("memmove(m, n, 2 * sizeof(int));", ["n[0]", "n[1]"], ["m[0]", "m[1]"]),
        ("memset(&x, 0, sizeof x);", [], ["x.a", "x.b", "x.p"]),
        ("memset(m, 0xff, sizeof m);", [], ["m[0]", "m[1]", "m[2]"]),
        ("memcpy(&x, q, sizeof x);", ["q", "q->a", "q->b", "q->p"], ["x.a", "x.b", "x.p"]),
    ],
)
def test_typed_copies_move_whole_scalars(c: Lowering, body: str, reads: list[str], writes: list[str]) -> None:
    assert copies(c, body) == (reads, writes, [])


@pytest.mark.parametrize(
    "body",
    [
        "memcpy(t, &y, sizeof y);",
        "memcpy(&x, &y, 3);",
        "memset(&x, 1, sizeof x - 1);",
        "int k = m[0]; memcpy(m, n, k);",
    ],
)
def test_other_copies_are_left_to_the_model(c: Lowering, body: str) -> None:
    assert copies(c, body)[2] in (["memcpy"], ["memset"])


def test_arguments_that_nobody_looks_at_are_evaluated(c: Lowering) -> None:
    text = (
        "#include <assert.h>\nint f(int n, ...) { return n; }\n"
        "int main(void) { int i = 0; assert(f(1, i++, 2.5) == 1 && i == 1); return 0; }"
    )
    assert c.answer(text) is Answer.SAFE


def test_main_cannot_be_called(c: Lowering) -> None:
    made = c.program("int f(void); int main(void) { return f(); } int f(void) { return main(); }")
    assert given_up(made) == ["a call of `main`"]


def test_streams_of_other_headers_are_known(c: Lowering) -> None:
    text = (
        "struct _IO_FILE; extern struct _IO_FILE *stderr; int fprintf(struct _IO_FILE *, char *, ...);\n"
        'int main(void) { fprintf(stderr, "x"); return stderr == 0; }'
    )
    assert c.answer(text, name="program.i") is Answer.SAFE


@pytest.mark.parametrize("data_model", list(DataModel))
def test_data_models(c: Lowering, data_model: DataModel) -> None:
    size = 4 if data_model is DataModel.ILP32 else 8
    text = f"""
#include <assert.h>
#include <stdint.h>
#include <stddef.h>
#include <limits.h>
#include <stdlib.h>
struct s {{ char c; long l; void *p; }};
int main(void)
{{
    assert(sizeof(long) == {size} && sizeof(void *) == {size} && sizeof(size_t) == {size});
    assert(sizeof(long long) == 8 && sizeof(int64_t) == 8 && sizeof(struct s) == {3 * size});
    assert((LONG_MAX == INT_MAX) == {int(size == 4)});
    assert((-1L < 1u) == {int(size == 8)});
    int *p = malloc(2 * sizeof *p);
    p[1] = 5;
    assert(*(p + 1) == 5 && (uintptr_t)(p + 1) - (uintptr_t)p == 4);
    free(p);
    return 0;
}}
"""
    properties = frozenset({Property.REACH, Property.DEREF, Property.OVERFLOW})
    assert c.answer(text, data_model=data_model, properties=properties) is Answer.SAFE


def test_aligned_blocks_have_their_size(c: Lowering) -> None:
    text = (
        "#include <stdlib.h>\nint main(void) { int *p = aligned_alloc(64, 2 * sizeof(int)); "
        "p[1] = 0; p[%d] = 0; free(p); return 0; }"
    )
    assert c.answer(text % 0) is Answer.SAFE
    assert c.answer(text % 2) is Answer.BUG
    assert given_up(c.program((text % 0).replace("64", "48")))[0].startswith("an alignment")
