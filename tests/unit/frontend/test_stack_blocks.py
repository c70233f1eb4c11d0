import pytest

from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering

PROGRAM = """
#include <alloca.h>
int *kept;
int f(int n) {
    %s
    return 0;
}
int main(int argc, char **argv) { f(argc > 5 || argc < 1 ? 5 : argc); f(2); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("int *p = alloca(n * sizeof(int)); p[n - 1] = 1;", Answer.SAFE),
        ("int *p = alloca(n * sizeof(int)); p[n] = 1;", Answer.BUG),
        ("char *p = alloca(7); if (n == 1) return 1; p[6] = 1;", Answer.SAFE),
        ("char *p = __builtin_alloca(7); p[7] = 1;", Answer.BUG),
        ("if (kept && n == 2) return *kept; kept = alloca(4); *kept = 0;", Answer.BUG),
        ("for (int i = 0; i < n; i++) { char *p = alloca(1); *p = 1; }", Answer.UNKNOWN),
        ("for (int i = 0; i < 1; i++) { char *p = alloca(1); *p = 1; }", Answer.SAFE),
        ("again: if (n < 0) return 0; { char *p = alloca(1); *p = 1; } n = -1; goto again;", Answer.SAFE),
        ("char *p = alloca(1), *q = alloca(1); *p = 1; *q = 2; if (p == q) p[5] = 1;", Answer.SAFE),
    ],
)
def test_blocks_live_until_their_function_returns(body: str, answer: Answer, c: Lowering) -> None:
    assert c.answer(PROGRAM % body) is answer


def test_a_lost_block_is_no_leak(c: Lowering) -> None:
    text = (
        "#include <alloca.h>\n#include <stdlib.h>\n"
        "int main(void) { int *p = alloca(4); *p = 1; p = malloc(4); free(p); exit(0); }"
    )
    assert c.answer(text) is Answer.SAFE
