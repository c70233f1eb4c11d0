"""Lines of C for functions that nobody knows: they are printed, and they work as a file of models."""

from pathlib import Path

import pytest

from sley.frontend.data_model import DataModel
from sley.verification.reading import loaded_program
from sley.verification.result import Answer
from sley.verification.task import Task
from sley.verification.verify import verify

OBJECT = "_Bool __VERIFIER_nondet_bool(void);\nvoid *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n"
DECLARED = {
    "int f(int (*g)(const char *, void *), int a[3], unsigned long n);": (
        "int f(int (*g)(const char *, void *), int *a, unsigned long n) { return __VERIFIER_nondet_int(); }"
    ),
    "typedef struct { int x; } t; t *f(const t *);": (
        f"{OBJECT}void *f(void *a1) {{ return __VERIFIER_nondet_bool() ? calloc(1, 4) : 0; }}"
    ),
    "enum e { A }; void f(enum e what);": "void f(int what) { }",
    "struct s; struct s *f(struct s *, ...);": (
        f"{OBJECT}struct s *f(struct s *a1, ...) {{ return __VERIFIER_nondet_bool() ? calloc(1, 64) : 0; }}"
    ),
    "unsigned char f(void);": (
        "unsigned char __VERIFIER_nondet_uchar(void);\n"
        "unsigned char f(void) { return __VERIFIER_nondet_uchar(); }"
    ),
    "struct s { int x; }; void f(struct s one);": "",
}


@pytest.mark.parametrize("declaration", DECLARED)
def test_a_first_model(declaration: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    arguments = "0, 0, 0" if "g)" in declaration else "" if "(void)" in declaration else "0"
    call = "struct s x = {0}; f(x)" if "one" in declaration else f"f({arguments})"
    path.write_text(f"{declaration}\nint main(void) {{ {call}; return 0; }}\n")
    (unmodelled,) = loaded_program(Task(paths=(path,))).unmodelled
    assert unmodelled.model == DECLARED[declaration]


POOL = """\
#include <stdlib.h>
int prctl(int option, ...);
long syscall(long number, ...);
int sigaction(int signal, const void *act, void *old);
int main(void)
{
    char *p = malloc(1);
    prctl(15, "worker");
    sigaction(10, 0, 0);
    free(p);
    if (syscall(186) > 0)
        *p = 1;
    return 0;
}
"""


def test_printed_lines_are_a_file_of_models(tmp_path: Path) -> None:
    program, models = tmp_path / "pool.c", tmp_path / "models.c"
    program.write_text(POOL)
    task = Task(paths=(program,), data_model=DataModel.LP64, engines=("explore",), jobs=0)
    assert verify(task).answer is Answer.UNKNOWN
    lines = [one.model for one in loaded_program(task).unmodelled]
    models.write_text("".join(f"    {line}\n" for line in lines) + "int sigaction() { return 0; }\n")
    found = verify(Task(paths=(program,), models=(models,), engines=("explore",), jobs=0))
    assert found.result == "false(valid-deref)"


RACY = """\
#include <pthread.h>
struct base { int x; };
struct base *base_new(void);
int shared;
void *worker(void *argument) { shared++; return argument; }
int main(void)
{
    struct base *base = base_new();
    if (!base)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, base);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return base->x;
}
"""


def test_a_first_model_hides_nothing(tmp_path: Path) -> None:
    program, models = tmp_path / "racy.c", tmp_path / "models.c"
    program.write_text(RACY)
    (unmodelled,) = loaded_program(Task(paths=(program,))).unmodelled
    models.write_text(unmodelled.model)
    found = verify(Task(paths=(program,), models=(models,), engines=("explore",), jobs=0))
    assert found.result == "false(no-data-race)"


def test_models_of_the_user_come_before_ours(tmp_path: Path) -> None:
    program, models = tmp_path / "a.c", tmp_path / "models.c"
    program.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <assert.h>\n"
        'int main(void) { assert(printf("x") == 7 && rand() == 4); return 0; }\n'
    )
    models.write_text("int rand(void) { return 4; }\nint printf(const char *f, ...) { return 7; }\n")
    task = Task(paths=(program,), models=(models,), engines=("explore",), jobs=0)
    assert verify(task).answer is Answer.SAFE
