"""Numbers that come from outside: in plausible ranges, whatever a program computes from them."""

import pytest

from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering

BEFORE = "#include <stdlib.h>\n#include <sys/time.h>\n#include <time.h>\n#include <unistd.h>\n"

SAFE = {
    "a deadline": "struct timespec t; clock_gettime(CLOCK_REALTIME, &t); t.tv_sec += 5; return t.tv_sec < 5;",
    "microseconds": "struct timeval t; gettimeofday(&t, 0); return t.tv_sec * 1000000 + t.tv_usec < 0;",
    "nanoseconds": "struct timespec t; timespec_get(&t, TIME_UTC); return t.tv_sec * 1000000000 < 0;",
    "later": "time_t later = time(0) + 3600; int narrow = (int)later; return narrow + 1 < 0;",
    "a difference": "clock_t start = clock(); return clock() - start + 1 < 0;",
    "the next process": "return getpid() + 1 < 0;",
    "an index": "unsigned seed = 3; int a[4] = {0}; return a[rand_r(&seed) % 4] + a[rand() % 4];",
}


@pytest.mark.parametrize("body", SAFE.values(), ids=SAFE)
def test_what_programs_compute_from_clocks_fits(body: str, c: Lowering) -> None:
    assert c.answer(f"{BEFORE}int main(void) {{ {body} }}") is Answer.SAFE


def test_times_are_not_fixed(c: Lowering) -> None:
    text = f"{BEFORE}#include <assert.h>\nint main(void) {{ time_t t = time(0); assert(t + 1 != 77); }}"
    assert c.answer(text) is Answer.BUG


@pytest.mark.parametrize("seeds", ["srand(3); int a = rand(); srand(3);", "int a = rand(); srand(1);"])
def test_a_sequence_that_may_repeat_is_no_bug(seeds: str, c: Lowering) -> None:
    text = f"{BEFORE}#include <assert.h>\nint main(void) {{ {seeds} assert(rand() == a); }}"
    assert c.answer(text) is Answer.UNKNOWN


def test_comparisons_without_effects_may_be_called_at_will(c: Lowering) -> None:
    text = """
#include <stdlib.h>
#include <string.h>
static int calls;
static int plain(const void *a, const void *b)
{
    char one[2] = {0}, other[2] = {0};
    one[0] = *(const char *)a;
    other[0] = *(const char *)b;
    return strcmp(one, other);
}
static int counting(const void *a, const void *b) { calls++; return plain(a, b); }
static void sort(char *text, int (*order)(const void *, const void *)) { qsort(text, 2, 1, order); }
int main(void) { char text[2] = "ba"; sort(text, USED); return calls + (counting == plain); }
"""
    assert c.answer(text.replace("USED", "plain").replace("counting == plain", "0")) is Answer.SAFE
    assert c.answer(text.replace("USED", "counting")) is Answer.UNKNOWN
    assert c.answer(text.replace("USED", "plain")) is Answer.UNKNOWN  # it could be the other
