import pytest

from sley.frontend.data_model import DataModel
from sley.program.instructions import Enter, Store
from sley.program.memory import Display, MemoryObject, Storage
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, named, of_kind


def contents(c: Lowering, declaration: str, name: str = "x") -> dict[str, int]:
    """The cells of a global that are not zero, by what C calls them."""
    made = c.program(f"{declaration}\nint main(void) {{ return *(char *)&{name}; }}")
    found = named(made.objects, name)
    return {found.layout.path_of(index, found.size): value for index, value in found.initial}


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("int x = 5;", {"": 5}),
        ("int x = -1;", {"": 0xFFFFFFFF}),
        ("_Bool x = 7;", {"": 1}),
        ("int x[3] = { 1, 2 };", {"[0]": 1, "[1]": 2}),
        ("int x[] = { [2] = 5, 6, [0] = 1 };", {"[0]": 1, "[2]": 5, "[3]": 6}),
        ("int x[5] = { [1 ... 3] = 7, 8 };", {"[1]": 7, "[2]": 7, "[3]": 7, "[4]": 8}),
        ("int x[2][2] = { 1, 2, 3 };", {"[0][0]": 1, "[0][1]": 2, "[1][0]": 3}),
        ("int x[2][2] = { [1] = { 1, 2 } };", {"[1][0]": 1, "[1][1]": 2}),
        ("int x[2][3] = { [0][2] = 4, 5 };", {"[0][2]": 4, "[1][0]": 5}),
        ("struct { int a; char b; } x = { .b = 2, .a = 1 };", {".a": 1, ".b": 2}),
        ("struct { int a, b[2], c; } x = { 1, 2, 3, 4 };", {".a": 1, ".b[0]": 2, ".b[1]": 3, ".c": 4}),
        ("struct { struct { int a, b; } in; int c; } x = { .in.b = 2, 3 };", {".in.b": 2, ".c": 3}),
        ("struct { int t; union { int i; char c[4]; }; } x = { .t = 1, .c = { 2 } };", {".t": 1, ".i": 2}),
        ("struct { int a[2]; } x[2] = { { { 1 } }, 3, 4 };", {"[0].a[0]": 1, "[1].a[0]": 3, "[1].a[1]": 4}),
        ('char x[] = "ab";', {"[0]": 97, "[1]": 98}),
        ('char x[2] = "ab";', {"[0]": 97, "[1]": 98}),
        ('char x[] = { "a\\n\\x41" };', {"[0]": 97, "[1]": 10, "[2]": 65}),
        ("float x = 1.5f;", {"": 0x3FC00000}),
        ("double x = -2;", {"": 0xC000000000000000}),
        ("enum { A = 3 } x = A;", {"": 3}),
        ("int x = sizeof(long) + (1 ? 2 : 3);", {"": 10}),
    ],
)  # fmt: skip
def test_globals(c: Lowering, declaration: str, expected: dict[str, int]) -> None:
    assert contents(c, declaration) == expected


def test_addresses_are_constants(c: Lowering) -> None:
    made = c.program(
        "int a[3]; int *p = &a[2]; int f(void) { return 1; } int (*g)(void) = f; char *s = \"hi\";\n"
        "struct n { struct n *next; } one, two = { &one }, one = { &two };\n"
        "int main(void) { return *p + g() + *s + (one.next == 0); }"
    )  # fmt: skip
    layout = made.pointers
    numbers = {o.c_name: number for number, o in enumerate(made.objects, made.pointers.first_object)}
    initial = {o.c_name: dict(o.initial) for o in made.objects}
    assert initial["p"] == {0: layout.address(numbers["a"], 8)}
    assert initial["g"] == {0: layout.address(numbers["f"])}
    assert initial["s"] == {0: layout.address(numbers['"hi"'])}
    assert initial["one"] == {0: layout.address(numbers["two"])}
    assert initial["two"] == {0: layout.address(numbers["one"])}
    assert named(made.objects, '"hi"').is_read_only


def test_library_objects_have_the_layout_of_their_model(c: Lowering) -> None:
    text = (
        "#include <pthread.h>\npthread_mutex_t x = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n"
        "int main(void) { return pthread_mutex_lock(&x); }"
    )
    for data_model, size, offset in ((DataModel.LP64, 40, 16), (DataModel.ILP32, 24, 12)):
        found = named(c.program(text, data_model=data_model).objects, "x")
        assert found.size == size
        assert {cell.display for cell in found.layout.cells} == {Display.HIDDEN}
        assert [(found.layout.offset_of(i), v) for i, v in found.initial] == [(offset, 1)]


def test_an_object_of_the_user_is_not_taken_for_one_of_the_library(c: Lowering) -> None:
    made = c.program(
        "typedef struct { int count; int waiting; } sem_t; sem_t x = { 1, 2 };\n"
        "int main(void) { return x.waiting; }"
    )
    assert [cell.path for cell in named(made.objects, "x").layout.cells] == [".count", ".waiting"]


def test_a_local_list_zeroes_the_rest(c: Lowering) -> None:
    main = c.main("int a[3] = { 0, x }; return a[2];", "int x;")
    (enter,) = of_kind(main, Enter)
    assert enter.is_zeroed
    assert [store.access.text for store in of_kind(main, Store)] == ["a[1]"]


def test_a_copied_struct_is_read_where_it_is(c: Lowering) -> None:
    main = c.main("struct p y = x; return y.a;", "struct p { int a, b; } x;")
    texts = [i.access.text for e in main.edges if hasattr(i := e.instruction, "access")]
    assert texts[:4] == ["x.a", "y.a", "x.b", "y.b"]


def object_named(c: Lowering, declaration: str) -> MemoryObject:
    return named(c.program(f"{declaration}\nint main(void) {{ return (long)&x != 0; }}").objects, "x")


def test_layouts(c: Lowering) -> None:
    struct = object_named(c, "struct { char a; long b; int c[2]; } x;")
    assert [(cell.offset, cell.path) for cell in struct.layout.cells] == [
        (0, ".a"),
        (8, ".b"),
        (16, ".c[0]"),
        (20, ".c[1]"),
    ]
    assert (struct.size, struct.layout.stride) == (24, 24)
    array = object_named(c, "int x[1000];")
    assert (array.size, array.layout.stride, len(array.layout.cells)) == (4000, 4, 1)
    gaps = object_named(c, "union { struct { char a; int b; } s; char raw[8]; } x;")
    assert [cell.offset for cell in gaps.layout.cells] == [0, 1, 2, 3, 4]
    union = object_named(c, "union { char a; int b; short c[2]; } x;")
    assert [(cell.offset, cell.path) for cell in union.layout.cells] == [(0, ".b")]


def test_thread_local_variables_belong_to_their_thread(c: Lowering) -> None:
    made = c.program("__thread int x = 3; int main(void) { return x; }")
    (found,) = made.functions["main"].objects
    assert (found.storage, found.initial, found.c_name) == (Storage.THREAD, ((0, 3),), "x")


def test_static_locals_are_global_and_apart(c: Lowering) -> None:
    made = c.program(
        "int f(void) { static int n = 1; return n++; } int g(void) { static int n = 2; return n++; }\n"
        "int main(void) { return f() + g(); }"
    )
    assert [(o.name, o.initial) for o in made.objects] == [
        ("static.n", ((0, 1),)),
        ("static.n.2", ((0, 2),)),
    ]


def test_empty_braces_make_a_scalar_zero(c: Lowering) -> None:
    text = (
        "#include <assert.h>\nint g = {};\n"
        "int main(void) { int x = {}, y = {}; int *p = &y; assert(x == 0 && *p == 0 && g == 0); return 0; }"
    )
    assert c.answer(text) is Answer.SAFE
