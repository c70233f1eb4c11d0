"""Pragmas and attributes that nobody reads are named, with their places."""

import pytest

from sley.base.errors import UnsupportedFeatureError
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering

_MAIN = "int main(void) { return 0; }\n"


@pytest.mark.parametrize(
    "text",
    [
        "#pragma omp threadprivate(x)\n",
        "#pragma acc routine\n",
        "#pragma STDC FENV_ROUND FE_UPWARD\n",
        "__attribute__((signal)) void handler(void) {}\n",
        "__attribute__((interrupt)) void handler(void *frame) {}\n",
    ],
)
def test_what_changes_the_meaning_costs_the_proof(c: Lowering, text: str) -> None:
    made = c.program("int x;\n" + text + _MAIN)
    (reason,) = made.unmodelled
    assert "which is not read" in reason.what
    assert reason.span is not None
    assert reason.span.line == 2
    assert c.answer("int x;\n" + text + _MAIN) is Answer.UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        "#pragma scalar_storage_order big-endian\n",
        'struct __attribute__((scalar_storage_order("big-endian"))) s { int a; };\n',
    ],
)
def test_what_turns_bytes_around_is_refused(c: Lowering, text: str) -> None:
    with pytest.raises(UnsupportedFeatureError) as refused:
        c.program("int x;\n" + text + _MAIN)
    (reason,) = refused.value.constructs
    assert "scalar_storage_order" in reason.what


def test_a_pragma_in_a_macro_is_found(c: Lowering) -> None:
    text = '#define PARALLEL _Pragma("omp parallel")\nint main(void) {\n    PARALLEL\n    return 0;\n}\n'
    (reason,) = c.program(text).unmodelled
    assert reason.span is not None
    assert (reason.span.line, "OpenMP" in reason.what) == (3, True)


@pytest.mark.parametrize(
    "text",
    [
        "#pragma once\n",
        '#pragma GCC diagnostic ignored "-Wall"\n',
        '#pragma GCC optimize("O2")\n',
        "#pragma pack(push, 1)\n",
        "#pragma STDC FP_CONTRACT OFF\n",
        "#pragma weak nobody\n",
        "#if 0\n#pragma omp parallel\n#endif\n",
        "__attribute__((noclone, optimize(3))) void f(void) {}\n",
        '__attribute__((aligned(16), section(".data"))) int y = 1;\n',
    ],
)
def test_what_changes_nothing_is_not_mentioned(c: Lowering, text: str) -> None:
    made = c.program(text + _MAIN)
    assert made.unmodelled == ()
    assert made.assumptions == ()


def test_what_nobody_knows_is_an_assumption(c: Lowering) -> None:
    made = c.program("#pragma frobnicate harder\n" + _MAIN)
    assert made.unmodelled == ()
    (assumption,) = made.assumptions
    assert assumption.startswith("`#pragma frobnicate harder` changes nothing (")
    assert assumption.endswith("program.c:1)")


@pytest.mark.parametrize(
    "call",
    [
        "signal(2, handler)",
        "raise(2)",
        "kill(getpid(), 2)",
        "fork()",
        "vfork()",
        'execl("/bin/true", "true", (char *)0)',
        'execvp("true", (char *const[]){0})',
        "pthread_cancel(pthread_self())",
        '({ __asm__ volatile("incl %0" : "+m"(x)); 0; })',
        "setitimer(0, 0, 0)",
    ],
)
def test_what_runs_code_that_nobody_called_is_not_proved(c: Lowering, call: str) -> None:
    headers = "#include <signal.h>\n#include <unistd.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
    before = "int setitimer(int, const void *, void *);\nint x;\nvoid handler(int n) { x = n; }\n"
    text = headers + before + f"int main(void) {{ (void){call}; return 0; }}\n"
    assert c.answer(text) is Answer.UNKNOWN
