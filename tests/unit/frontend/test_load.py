import gc
import os
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.frontend.c_types import TypeTable
from sley.frontend.data_model import DataModel
from sley.frontend.load import load
from sley.program.instructions import Load
from sley.program.memory import Storage
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, given_up, of_kind

MAIN = "int main(void) { return 0; }\n"


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        load([path])
    assert "\n" not in str(caught.value)
    assert caught.value.span is not None
    assert caught.value.span.file == str(path)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the file is empty"),
        (" \n\n", 1, "the file is empty"),
        ("int f(void) { return 0; }", 1, "there is no function `main`"),
        ("int main(void) {\n  return 0\n}", 2, "expected ';' after return statement"),
        ("#include <nosuch.h>\n" + MAIN, 1, "'nosuch.h' file not found"),
        ("\nint main(void) { return x; }", 2, "use of undeclared identifier 'x'"),
        ("/* no end", 1, "unterminated /* comment"),
        ("\n#error wrong\n" + MAIN, 2, "wrong"),
    ],
)
def test_what_is_not_c_is_refused_with_its_place(c: Lowering, text: str, line: int, message: str) -> None:
    error = refusal(c.file(text))
    assert error.message.startswith(message)
    assert error.span is not None
    assert error.span.line == line


def test_a_truncated_preprocessed_file_is_refused(c: Lowering) -> None:
    refusal(c.file('# 1 "x.c"\nint main(void) {\n  int x = 1;\n  if (x', "program.i"))


def test_a_binary_file_is_refused(c: Lowering) -> None:
    path = c.folder / "binary.c"
    path.write_bytes(b"\x7fELF\0\0\1")
    assert refusal(path).message == "is a binary file, not C"


def test_a_folder_without_c_is_refused(c: Lowering) -> None:
    assert refusal(c.folder).message.startswith("is a folder without C files")


def test_a_missing_file_is_refused(c: Lowering) -> None:
    assert refusal(c.folder / "missing.c").message == "no such file"


def test_an_unreadable_file_is_refused(c: Lowering) -> None:
    path = c.file(MAIN)
    path.chmod(0)
    if os.geteuid() == 0:  # nothing is forbidden to root, but this fails for everybody
        path = Path("/proc/self/mem")
    assert refusal(path).message.startswith("cannot be read: ")


def test_whoever_gets_to_an_unsupported_construct_gives_up(c: Lowering) -> None:
    text = """
int main(int argc, char **argv)
{
    int n = argc;
    switch (n) {
    case 1: {
        int a[n] = {};
        a[0] = 1;
    }
    case 2: {
        _Complex double d = 1.0;
    }
    case 3:
        __asm__("nop" : "=r"(n));
    }
    return 0;
}
"""
    assert given_up(c.program(text)) == [
        "an initialiser of an array of variable length: `int a[n] = {}`",
        "a use of `a` here",
        "the type `_Complex double`",
        'inline assembly: `__asm__("nop" : "=r"(n))`',
    ]


def test_unused_code_cannot_be_unsupported(c: Lowering) -> None:
    made = c.program("_Complex double f(_Complex double x) { return x * 2; }\n" + MAIN)
    assert list(made.functions) == ["main"]


def test_dead_code_cannot_be_unsupported(c: Lowering) -> None:
    c.program("int main(void) { if (0) { _Complex double x = 1; x *= 2; } return 0; }")


def test_a_function_without_a_model_is_listed_once(c: Lowering) -> None:
    made = c.program("int f(int);\nint main(void) {\n  f(1);\n  return f(2);\n}")
    (unmodelled,) = made.unmodelled
    assert unmodelled.what == "first of 2 calls to `f`: no model of this function"
    assert unmodelled.span is not None
    assert (unmodelled.span.line, unmodelled.span.column) == (3, 3)


def test_two_files_make_one_program(c: Lowering) -> None:
    one = c.file(
        "extern int shared; int f(void); static int hidden = 1; static int g(void) { return hidden; }\n"
        "int main(void) { return shared + f() + g(); }",
        "one.c",
    )
    other = c.file(
        "int shared = 5; static int hidden = 2; static int g(void) { return hidden; }\n"
        "int f(void) { shared++; return g(); }",
        "two.c",
    )
    made = load([one, other])
    assert sorted(made.functions) == ["f", "g", "g.2", "main"]
    assert sorted((o.c_name, o.initial) for o in made.objects) == [
        ("hidden", ((0, 1),)),
        ("hidden", ((0, 2),)),
        ("shared", ((0, 5),)),
    ]


def test_include_directories_and_defines(c: Lowering) -> None:
    (c.folder / "headers").mkdir()
    (c.folder / "headers" / "own.h").write_text("int own = VALUE;\n")
    path = c.file('#include "own.h"\nint main(void) { return own; }')
    made = load([path], include_dirs=[c.folder / "headers"], defines=["VALUE=7"])
    assert made.objects[0].initial == ((0, 7),)


def test_models_of_the_user_come_first(c: Lowering) -> None:
    model = c.file('#include "sley.h"\nint usleep(unsigned int t)\n{\n    return 42;\n}\n', "model.c")
    text = "#include <unistd.h>\nint main(void) { return usleep(1); }"
    made = load([c.file(text)], models=[model], include_dirs=[_models()])
    (returned,) = (e.origin.text for e in made.functions["usleep"].edges)
    assert returned == "return 42;"
    assert made.functions["usleep"].is_library


def _models() -> Path:
    return Path(load.__code__.co_filename).parent / "models"


def test_pointers_of_ilp32_make_room_for_large_objects(c: Lowering) -> None:
    small = c.program("int x; int main(void) { return x; }", data_model=DataModel.ILP32)
    large = c.program("char x[100000]; int main(void) { return x[0]; }", data_model=DataModel.ILP32)
    assert (small.pointers.width, small.pointers.offset_bits) == (32, 16)
    assert large.pointers.largest_object >= 100000


def test_line_markers_count_if_the_file_exists(c: Lowering) -> None:
    original = c.file("int x;\n\nint main(void) { return x; }\n", "original.c")
    preprocessed = f'# 1 "{original}"\nint x;\n# 3 "{original}"\nint main(void) {{ return x; }}\n'
    made = c.program(preprocessed, name="made.i")
    span = made.functions["main"].edges[0].origin.span
    assert span is not None
    assert (span.file, span.line) == (str(original), 3)
    elsewhere = c.program(preprocessed.replace("original", "missing"), name="made.i")
    span = elsewhere.functions["main"].edges[0].origin.span
    assert span is not None
    assert (span.file, span.line) == (str(c.folder / "made.i"), 4)


def test_every_edge_has_an_origin(c: Lowering) -> None:
    text = """
#include <pthread.h>
#include <assert.h>
int shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    for (int i = 0; i < 2; i++)
        shared += i;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(shared == 1);
    return 0;
}
"""
    made = c.program(text)
    for function in made.functions.values():
        assert all(e.origin.span is not None and e.origin.text for e in function.edges)
        assert all(e.origin.is_library == function.is_library for e in function.edges)
    assert [load.access.text for load in of_kind(made.functions["worker"], Load)] == ["shared"]
    assert any(e.origin.text == "assert(shared == 1)" for e in made.functions["main"].edges)
    assert made.assumptions == ("pthread_create succeeds",)
    assert [o.c_name for o in made.objects if o.storage is Storage.CODE] == ["worker"]


def test_deep_nesting(c: Lowering) -> None:
    chain = "\n".join(f"else if (x == {i}) x = {i + 1};" for i in range(3000))
    parentheses = "(" * 2000 + "x" + ")" * 2000
    blocks = "{" * 1000 + "x++;" + "}" * 1000
    made = c.program(f"int x; int main(void) {{ if (x < 0) ;\n{chain}\n{blocks} return {parentheses}; }}")
    assert len(made.functions["main"].edges) > 3000


def test_loading_twice_gives_the_same(c: Lowering) -> None:
    text = "#include <stdlib.h>\nint g; int main(void) { int *p = malloc(4); *p = g; free(p); return 0; }"
    assert c.program(text).functions == c.program(text).functions


def test_what_is_visible_everywhere_is_defined_once(tmp_path: Path) -> None:
    first, second = tmp_path / "first.c", tmp_path / "second.c"
    first.write_text("int f(void) { return 1; }\nint main(void) { return f(); }\n")
    second.write_text("int f(void) { return 2; }\n")
    with pytest.raises(InputError, match="`f` is defined twice"):
        load([first, second])


def test_models_of_the_user(tmp_path: Path) -> None:
    path, models = tmp_path / "program.c", tmp_path / "models.c"
    path.write_text("int twice(int);\nint main(void) { return twice(4); }\n")
    models.write_text("int twice(int x) { return x + x; }\n")
    assert load([path]).unmodelled
    made = load([path], models=[models])
    assert not made.unmodelled
    assert made.functions["twice"].is_library
    with pytest.raises(InputError, match="models"):
        load([path], models=[tmp_path / "missing.c"])


def test_models_of_the_user_see_headers_of_the_system(tmp_path: Path) -> None:
    header = "#include <netdb.h>\n"
    if not Path("/usr/include/netdb.h").is_file():
        header = ""
    path, models = tmp_path / "program.c", tmp_path / "models.c"
    path.write_text(f"{header}int entries(void);\nint main(void) {{ return entries(); }}\n")
    models.write_text(f"{header}int entries(void) {{ return 1; }}\n")
    assert not load([path], models=[models]).unmodelled


def test_an_unsupported_switch_is_given_up_at(c: Lowering) -> None:
    switch = "switch ((int)z) { case 0: break; default: return 1; }"
    made = c.program(f"_Complex double z; int main(void) {{ {switch} return 0; }}")
    assert given_up(made) == ["the type `_Complex double`"]


JUMP_INTO = """
_Complex double z;
int main(int argc, char **argv) {
    int n = argc;
    if (n == 2)
        goto inside;
    switch (n) {
    case 3:
        while (z == 1) {
            n++;
inside:
            n--;
            break;
        }
    }
    return 0;
}
"""


def test_a_loop_that_is_not_supported_cannot_be_jumped_into(c: Lowering) -> None:
    assert len(given_up(c.program(JUMP_INTO))) == 2


DUFF = """
_Complex double z;
int main(int argc, char **argv) {
    int n = argc;
    switch (n) {
    case 1:
        do {
            n++;
    case 2:
            n--;
        } while (z == 1);
        break;
    default:
        n = 0;
    }
    return 0;
}
"""


def test_a_switch_into_what_is_not_supported_is_not_supported(c: Lowering) -> None:
    (reason,) = given_up(c.program(DUFF))
    assert "_Complex" in reason
    assert c.answer(DUFF) is Answer.UNKNOWN


FOREIGN = """
extern int foreign;
extern struct unknown outside;
static int first(int *p) { return *p; }
int main(int argc, char **argv) {
    int own = 1;
    if (argc == %d)
        own = first(&foreign);
    return first(&own) + (&foreign == &own) + (&outside == 0);
}
"""


def test_whoever_reads_a_variable_that_nobody_defines_gives_up(c: Lowering) -> None:
    assert c.answer(FOREIGN % -1) is Answer.SAFE
    assert c.answer(FOREIGN % 1) is Answer.UNKNOWN


def test_an_initialiser_that_is_not_supported_hides_the_contents(c: Lowering) -> None:
    text = "_Complex double x = 1; struct { int n; _Complex float z; } s; int main(void) { return %s; }"
    assert c.answer(text % "&x == 0") is Answer.UNKNOWN


def test_nothing_of_a_program_is_kept(c: Lowering) -> None:
    """Layouts are looked up by types, and a type keeps all others of its program."""

    def kept() -> int:
        gc.collect()
        return sum(isinstance(one, TypeTable) for one in gc.get_objects())

    path = c.file("struct s { int *p; } s; int main(void) { return s.p == 0; }")
    load([path])
    before = kept()
    load([path])
    assert kept() == before
