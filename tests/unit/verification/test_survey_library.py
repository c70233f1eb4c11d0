"""Checks in calls of the library: one of each call, proved where buffers are surely large enough."""

from pathlib import Path

import pytest

from sley.evidence.fixpoint.survey import Survey
from sley.program.properties import Property
from tests.unit.verification.surveys import surveyed_file

START = """
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct point { int x, y, z; } here, there[4];
int main(void)
{
    int any = __VERIFIER_nondet_int();
"""


def _survey(folder: Path, body: str) -> Survey:
    file = folder / "calls.c"
    file.write_text(f"{START}{body}\n    return any;\n}}\n")
    return surveyed_file(file, "memory")[0]


def _accesses(survey: Survey) -> tuple[int, int]:
    """How many are proved, and how many are open."""
    proved = survey.proved.get(Property.DEREF, 0)
    return proved, sum(one.property is Property.DEREF for one in survey.open)


@pytest.mark.parametrize(
    ("room", "call"),
    [
        (17, 'sprintf(text, "abc=%d;", any);'),
        (12, 'sprintf(text, "%d", any);'),
        (11, 'sprintf(text, "%u", (unsigned)any);'),
        (3, 'sprintf(text, "%02X", (unsigned char)any);'),
        (5, 'sprintf(text, "%04x", (unsigned short)any);'),
        (21, 'sprintf(text, "%-8d%12d", any & 255, any & 255);'),
        (23, 'sprintf(text, "%llo", (unsigned long long)any);'),
        (3, "sprintf(text, \"%c%c\", any, 'b');"),
        (9, 'snprintf(text, sizeof text, "a long text and %d numbers, %x", any, any);'),
        (9, "memset(text, 0, sizeof text);"),
        (9, "memset(text, 0, any & 7);"),
        (9, "char other[16] = {0}; memcpy(text, other, any & 7);"),
    ],
)
def test_what_is_put_into_a_buffer(room: int, call: str, tmp_path: Path) -> None:
    assert _accesses(_survey(tmp_path, f"char text[{room}]; {call}")) == (1, 0)
    small = call.replace("sizeof text", f"{room}").replace("& 7", "& 15")
    assert _accesses(_survey(tmp_path, f"char text[{room - 1}]; {small}")) == (0, 1)


def test_a_call_that_is_written_out_is_one_check(tmp_path: Path) -> None:
    copied = _survey(tmp_path, "memcpy(there, &here, sizeof here); memset(&here, 0, sizeof here);")
    assert _accesses(copied) == (2, 0)
    beyond = _survey(tmp_path, "memset(&here, 0, sizeof here); memcpy(there, &here, sizeof there);")
    assert _accesses(beyond) == (1, 1)


def test_what_the_user_writes_are_checks_of_their_own(tmp_path: Path) -> None:
    text = "int numbers[2] = {0}; int *p = numbers;\n    char text[32];\n"
    assert _accesses(_survey(tmp_path, f'{text} sprintf(text, "%d%d", p[0], p[1]);')) == (3, 0)
    assert _accesses(_survey(tmp_path, f'{text} sprintf(text, "%d%d", p[0], p[any & 3]);')) == (2, 1)
