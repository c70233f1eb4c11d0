"""What the program makes is computed exactly, what comes from outside is not (``passes.known_values``)."""

import pytest

from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering

HEAD = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\nint __VERIFIER_nondet_int(void);\n"
MAIN = HEAD + "int main(void)\n{{\n    char text[16];\n    int number = 0;\n    {}\n    return 0;\n}}\n"
READ = 'sscanf(text, "%d", &number); assert(number == 12);'
WRITTEN = 'snprintf(text, sizeof text, "%.1f", x); assert(!strcmp(text, "1.5"));'


@pytest.mark.parametrize(
    "body",
    [
        f'strcpy(text, "12"); {READ}',
        f'sprintf(text, "%d", 3 * 4); {READ}',
        f'if (getchar() == 1) strcpy(text, "12"); else strcpy(text, " 12 "); {READ}',
        f"double x = 3 / 2.0; {WRITTEN}",
        f"double x = 1; for (int i = 0; i < 2; i++) x += 0.25; {WRITTEN}",
        f"static const double numbers[] = {{0, 1.5}}; double x = numbers[1]; {WRITTEN}",
    ],
)
def test_what_is_made_is_exact(c: Lowering, body: str) -> None:
    assert c.answer(MAIN.format(body)) is Answer.SAFE


@pytest.mark.parametrize(
    "body",
    [
        f'int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 1; sprintf(text, "%d", n); {READ}',
        f"double x = (__VERIFIER_nondet_int() & 3) / 2.0; {WRITTEN}",
        f"double y[2]; y[0] = (__VERIFIER_nondet_int() & 3) / 2.0; double x = y[0]; {WRITTEN}",
    ],
)
def test_what_comes_from_outside_is_not(c: Lowering, body: str) -> None:
    assert c.answer(MAIN.format(body)) is Answer.UNKNOWN
