"""The harness of a library: which calls with which arguments, and what is refused."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.frontend.data_model import DataModel
from sley.frontend.harness.plan import NAME, Harness
from sley.verification.reading import loaded_program, sources_of
from sley.verification.task import Task


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def task_of(text: str, harness: Harness, model: DataModel = DataModel.LP64) -> Task:
    Path("lib.c").write_text(text)
    return Task(paths=(Path("lib.c"),), harness=harness, data_model=model)


def written(text: str, *entries: str, setup: tuple[str, ...] = (), make: tuple[str, ...] = ()) -> list[str]:
    """The lines of the harness, which is C that the front end takes."""
    task = task_of(text, Harness(entries=entries, setup=setup, make=make))
    loaded_program(task)
    (source,) = sources_of(task)
    assert source.text is not None
    return [line.strip() for line in source.text.splitlines()]


def refusal(text: str, *entries: str, setup: tuple[str, ...] = (), make: tuple[str, ...] = ()) -> str:
    with pytest.raises(InputError) as refused:
        written(text, *entries, setup=setup, make=make)
    return "\n".join(str(one) for one in (refused.value, *refused.value.others))


# --- arguments -------------------------------------------------------------------------------------

NUMBERS = {
    "int": "int x = __VERIFIER_nondet_int();",
    "unsigned": "unsigned int x = __VERIFIER_nondet_uint();",
    "_Bool": "_Bool x = __VERIFIER_nondet_bool();",
    "signed char": "signed char x = __VERIFIER_nondet_char();",
    "uint8_t": "uint8_t x = __VERIFIER_nondet_uchar();",
    "size_t": "size_t x = __VERIFIER_nondet_ulong();",
    "long long": "long long x = __VERIFIER_nondet_longlong();",
    "const short": "short x = __VERIFIER_nondet_short();",
    "double": "double x = __VERIFIER_nondet_double();",
    "enum color": "enum color x = __VERIFIER_nondet_int();",
}


@pytest.mark.parametrize("ctype", NUMBERS)
def test_numbers_are_arbitrary(ctype: str) -> None:
    head = "#include <stddef.h>\n#include <stdint.h>\nenum color { RED };\n"
    lines = written(f"{head}void f({ctype} x) {{}}\n", "f")
    assert lines[lines.index("f(x);") - 1] == NUMBERS[ctype]


def test_an_unsigned_long_is_one_on_a_small_machine() -> None:
    task = task_of("#include <stddef.h>\nvoid f(size_t x) {}\n", Harness(entries=("f",)), DataModel.ILP32)
    (source,) = sources_of(task)
    assert "size_t x = __VERIFIER_nondet_uint();" in (source.text or "")


POINTERS = {
    "struct box *b": ("static struct box shared_box;", "f(&shared_box);"),
    "const struct box *b": ("static struct box shared_box;", "f(&shared_box);"),
    "boxed b": ("static struct box shared_box;", "f(&shared_box);"),
    "unnamed_t *u": ("static unnamed_t shared_unnamed;", "f(&shared_unnamed);"),
    "int *n": ("static int shared_int;", "f(&shared_int);"),
    "int n[2]": ("static int shared_int;", "f(&shared_int);"),
    "struct box **b": ("static struct box *shared_box_pointer;", "f(&shared_box_pointer);"),
    "int (*rows)[2]": ("static __typeof__(int[2]) shared_ints;", "f(&shared_ints);"),
    "struct box *b, int *out": ("int out = __VERIFIER_nondet_int();", "f(&shared_box, &out);"),
    "struct box *b, void **out": ("void *out = 0;", "f(&shared_box, &out);"),
    "struct box *b, struct box *c": ("static struct box shared_box;", "f(&shared_box, &shared_box);"),
    "struct box *b, volatile int *n": ("static int shared_int;", "f(&shared_box, &shared_int);"),
    "struct box *b, _Atomic int *n": ("static _Atomic(int) shared_int;", "f(&shared_box, &shared_int);"),
    "const char *text": ("any_text[1] = __VERIFIER_nondet_char();", "f(any_text);"),
}


@pytest.mark.parametrize("parameters", POINTERS)
def test_pointers_are_to_what_is_shared_or_to_results(parameters: str) -> None:
    head = "struct box { int x; }; typedef struct box *boxed; typedef struct { int x; } unnamed_t;\n"
    lines = written(f"{head}void f({parameters}) {{}}\n", "f")
    declared, call = POINTERS[parameters]
    assert call in lines
    assert declared in lines


MADE_UP = {
    "void *p": ("void *p = calloc(1, 64);", "f(p);"),
    "void (*callback)(int)": ("static void any_callback(int a1) {}", "f(any_callback);"),
    "int callback(void *, ...)": ("static int any_callback(void *a1, ...) { return 0; }", "f(any_callback);"),
    "int n, char *buffer": ("char buffer[64] = {__VERIFIER_nondet_char()};", "f(n, buffer);"),
    "const unsigned char *": ("unsigned char argument1[64] = {__VERIFIER_nondet_char()};", "f(argument1);"),
    "struct box b": ("struct box b = {0};", "f(b);"),
    "int *values, unsigned count": ("if (count < 0 || count > 2) count = 2;", "f(values, count);"),
    "const void *data, size_t len": ("char data[2] = {0};", "f(data, len);"),
}


@pytest.mark.parametrize("parameters", MADE_UP)
def test_blocks_buffers_and_callbacks_are_made_up(parameters: str) -> None:
    lines = written(f"#include <stddef.h>\nstruct box {{ int x; }};\nvoid f({parameters}) {{}}\n", "f")
    declared, call = MADE_UP[parameters]
    assert declared in lines
    assert call in lines


def test_what_cannot_be_made_up_is_for_the_user_to_say() -> None:
    told = refusal("struct hidden;\n\nvoid f(struct hidden *h) {}\n", "f")
    assert "`h` of `f` is a `struct hidden *`: what it points to" in told
    assert "lib.c:3:" in told
    assert "(--make, or --setup for one that all threads share)" in told


def test_all_that_is_refused_is_told_at_once() -> None:
    assert (
        refusal("struct a; struct b;\nvoid f(struct a *p) {}\nvoid g(struct b *s) {}\n", "f", "g").count(
            " of `"
        )
        == 2
    )


# --- functions that make arguments -----------------------------------------------------------------

LIST = """\
#include <stdlib.h>
typedef struct list list;
struct node { int value; };
struct list { struct node *first; };
list *list_new(int room) { return calloc(1, sizeof(list)); }
static int small(void) { return 1; }
static struct node *node_new(int value) { return calloc(1, sizeof(struct node)); }
void add(const list *l, struct node *n) {}
void init(list *l) {}
"""


def test_setup_is_called_once_and_its_pointer_is_shared() -> None:
    lines = written(LIST, "add", setup=("list_new",))
    assert "static list *shared_list;" in lines
    assert "add(shared_list, &shared_node);" in lines
    main = lines[lines.index("int main(void) {") :]
    created = next(number for number, line in enumerate(main) if "pthread_create" in line)
    assert "shared_list = list_new(room);" in main[:created]


def test_setup_may_fill_what_is_shared() -> None:
    lines = written(LIST, "add", setup=("init",))
    assert "static struct list shared_list;" in lines or "static list shared_list;" in lines
    assert lines.index("init(&shared_list);") > lines.index("int main(void) {")


def test_one_setup_gets_what_the_one_before_has_made() -> None:
    assert "init(shared_list);" in written(LIST, "add", setup=("list_new", "init"))
    assert "init(&shared_list_);" not in written(LIST, "add", setup=("list_new", "init"))


def test_each_call_has_its_own_from_a_maker_and_makers_use_makers() -> None:
    lines = written(LIST, "add", make=("node_new", "small"))
    call = lines.index("add(&shared_list, n);")
    assert lines[call - 2 : call] == ["int value = small();", "struct node *n = node_new(value);"]
    assert call < lines.index("int main(void) {")


def test_a_maker_that_needs_its_own_type_is_not_called_for_ever() -> None:
    text = "struct s { int x; };\nstruct s *copy(struct s *of) { return of; }\nvoid f(struct s *one) {}\n"
    lines = written(text, "f", make=("copy",))
    assert "struct s *one = copy(&shared_s);" in lines


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (("small", "also"), "`small` and `also` both make a `int`: name one of them"),
        (("nothing",), "`nothing` returns nothing"),
        (("real",), "no parameter has the type of `real`, `double`"),
    ],
)
def test_wrong_makers(make: tuple[str, ...], told: str) -> None:
    text = (
        "int small(void) { return 1; } int also(void) { return 1; } double real(void) { return 1; }\n"
        "void nothing(void) {}\nvoid f(int x) {}\n"
    )
    assert refusal(text, "f", make=make).endswith(told)


# --- calls -----------------------------------------------------------------------------------------


def test_every_function_can_be_chosen_whatever_it_returns() -> None:
    text = "void *f(void) { return 0; }\nstatic int g(void) { return 1; }\ninline static void h() {}\n"
    lines = written(text, "f", "g", "h")
    chosen = lines[lines.index("switch (__VERIFIER_nondet_int()) {") + 1 :]
    assert chosen[:9] == [
        *("case 1: {", "f();", "break;", "}"),
        *("case 2: {", "g();", "break;", "}"),
        "default: {",
    ]


def test_names_of_the_library_are_left_alone() -> None:
    text = "int shared_int, caller, any_text;\nvoid f(int *f, int *unused, const char *s) { caller = 1; }\n"
    lines = written(text, "f")
    assert "f(&shared_int_, &unused_, any_text_);" in lines
    assert "static void *caller_(void *unused) {" in lines


def test_how_many_threads_and_calls() -> None:
    task = task_of("int x; void f(void) { x = 1; }\n", Harness(entries=("f",), threads=3, calls=4))
    text = sources_of(task)[0].text or ""
    assert "pthread_t threads[3];" in text
    assert text.count("i < 3;") == 2
    assert "calls < 4;" in text
    assert (
        loaded_program(task)
        .assumptions[0]
        .startswith("the library is used by 3 threads, each of which calls f 4 times")
    )


WRONG = {
    "void f(void) {}\nint main(void) { return 0; }\n": ("f", "lib.c:2:1: there is a `main`"),
    "void first(void) {}\n": ("frist", "no file defines a function `frist`: did you mean `first`?"),
    "void f(void);\n": ("f", "`f` is declared, but defined in no file"),
    "int f(const char *s, ...) { return 0; }\n": ("f", "`f` takes any number of arguments"),
}


@pytest.mark.parametrize("text", WRONG)
def test_functions_that_cannot_be_called(text: str) -> None:
    name, told = WRONG[text]
    assert told in refusal(text, name)


# --- files -----------------------------------------------------------------------------------------


def test_only_files_of_named_functions_are_included(here: Path) -> None:
    (here / "src").mkdir()
    (here / "src/a.h").write_text("extern int x;\nint helper(void);\n")
    (here / "src/a.c").write_text('#include "a.h"\nstatic int own(void) { return helper(); }\n')
    (here / "src/b.c").write_text("#include <a.h>\nint x;\nint helper(void) { return x; }\n")
    task = Task(paths=(Path("src/b.c"), Path("src/a.c")), harness=Harness(entries=("own",)))
    harness, other = sources_of(task)
    assert (harness.path, other.path) == (NAME, Path("src/b.c"))
    assert '#include "src/a.c"' in (harness.text or "")
    assert "`sley check harness.c src/b.c`" in (harness.text or "")
    spans = {
        edge.origin.span.file
        for function in loaded_program(task).functions.values()
        for edge in function.edges
        if edge.origin.span is not None and not edge.origin.is_library
    }
    assert spans == {str(NAME), "src/a.c", "src/b.c"}


def test_files_that_do_not_go_together(here: Path) -> None:
    for name in "ab":
        (here / f"{name}.c").write_text(
            f"static int own;\nvoid {name}(void) {{ own++; }}\nstatic void c(void) {{}}\n"
        )
    (here / "b.c").write_text("static long own;\nvoid b(void) { own++; }\nstatic void c(void) {}\n")
    paths = (Path("a.c"), Path("b.c"))
    with pytest.raises(InputError, match="in the harness, which includes"):
        loaded_program(Task(paths=paths, harness=Harness(entries=("a", "b"))))
    with pytest.raises(InputError, match=r"`c` is defined in a\.c and b\.c"):
        loaded_program(Task(paths=paths, harness=Harness(entries=("c",))))
    loaded_program(Task(paths=paths, harness=Harness(entries=("a",))))


def test_a_function_of_a_header_is_one_in_all_files(here: Path) -> None:
    (here / "h.h").write_text("static inline int f(int x) { return x; }\n")
    for name in "ab":
        (here / f"{name}.c").write_text('#include "h.h"\n')
    harness, other = sources_of(Task(paths=(Path("a.c"), Path("b.c")), harness=Harness(entries=("f",))))
    assert '#include "a.c"' in (harness.text or "")
    assert other.path == Path("b.c")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_a_compiler_takes_the_harness(here: Path) -> None:
    text = "\n".join(written(LIST, "add", setup=("list_new",), make=("node_new",)))
    (here / "harness.c").write_text(text)
    subprocess.run(["gcc", "-Wall", "-Wno-unused", "-Werror", "-c", "harness.c"], check=True)
