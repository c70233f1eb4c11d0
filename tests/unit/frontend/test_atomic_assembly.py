"""Inline assembly that changes memory: what is lowered, in which order, and what is not."""

import pytest

from sley.program.instructions import MemoryOrder, Update
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, instructions

MAIN = """
#include <assert.h>
int main(void) {{
    int x = 5, y = 3; unsigned char b = 7; long wide = 1; (void)b; (void)wide; (void)y;
    {};
    return 0;
}}
"""


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("xchgl %0, %1" : "+r"(y), "+m"(x)); assert(x == 3 && y == 5)',
        'asm volatile("xchgl %1, %0" : "+r"(y), "+m"(x)); assert(x == 3 && y == 5)',
        'asm volatile("lock; andl $6, %0" : "+m"(x)); assert(x == 4)',
        'asm volatile("lock orl %1, %0" : "+m"(x) : "r"(y)); assert(x == 7)',
        'asm volatile("lock xorl $-1, %0; setnz %1" : "+m"(x), "=q"(b)); assert(x == ~5 && b == 1)',
        'asm volatile("lock; notl %0" : "+m"(x)); assert(x == ~5)',
        'asm volatile("lock; subl %1, %0; sete %2" : "+m"(x) : "r"(5), "q"(b)); assert(0)',
        'asm volatile("pause; lock; incl %0" : "+m"(x)); assert(0)',
    ],
)
def test_what_instructions_do(statement: str, c: Lowering) -> None:
    expected = Answer.UNKNOWN if "assert(0)" in statement else Answer.SAFE
    assert c.answer(MAIN.format(statement)) is expected


@pytest.mark.parametrize(
    "statement",
    [
        '"addl $1, %0" : "+m"(x)',
        '"lock; addq $1, %0" : "+m"(x)',
        '"xchgl %0, %1" : "=r"(y), "+m"(x)',
        '"xchgb %b0, %1" : "+r"(y), "+m"(b)',
        '"lock; xaddl %0, %1" : "+r"(b), "+m"(x)',
        '"lock; xaddl %1, %0" : "+m"(x) : "r"(y)',
        '"lock; cmpxchgl %1, %0" : "+m"(x) : "r"(y)',
        '"sete %0" : "=q"(b)',
        '"lock; incl %0" : "+r"(x)',
        '"rdtsc" : "=A"(wide), "+m"(x)',
        '"lock; incl %0; cpuid" : "+m"(x)',
    ],
)
def test_what_is_not_known_is_not_guessed(statement: str, c: Lowering) -> None:
    assert c.answer(MAIN.format(f"asm volatile({statement})")) is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("clobbers", "order"), [('"memory", "cc"', MemoryOrder.SEQUENTIAL), ('"cc"', MemoryOrder.RELAXED)]
)
def test_memory_is_ordered_if_it_is_named(clobbers: str, order: MemoryOrder, c: Lowering) -> None:
    made = c.program(MAIN.format(f'static int g; asm volatile("lock; incl %0" : "+m"(g) : : {clobbers})'))
    (update,) = (one for one in instructions(made.functions["main"]) if isinstance(one, Update))
    assert update.access.order is order
