"""The bytes of an address are not known: no engine says SAFE of a program that depends on one, nor BUG."""

from pathlib import Path

import pytest

from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import ENGINE_NAMES, Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

PROGRAM = """
#include <assert.h>
int x;
int main(void)
{
    int *p = POINTER;
    unsigned char *bytes = (unsigned char *)&p;
    assert(bytes[0] == 0);
    return 0;
}
"""


def answer(tmp_path: Path, engine: str, pointer: str) -> Answer:
    path = tmp_path / "part.c"
    path.write_text(PROGRAM.replace("POINTER", pointer))
    selection = Selection(PROPERTY_GROUPS["reach"])
    return verify(
        Task(paths=(path,), selection=selection, limits=Limits(seconds=AMPLE), engines=(engine,))
    ).answer


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_part_of_an_address_is_unknown(tmp_path: Path, engine: str) -> None:
    assert answer(tmp_path, engine, "&x") is Answer.UNKNOWN


@pytest.mark.parametrize("engine", sorted({*ENGINE_NAMES} - {"abstract"}))  # it knows no parts of scalars
def test_part_of_a_null_pointer_is_known(tmp_path: Path, engine: str) -> None:
    assert answer(tmp_path, engine, "0") is Answer.SAFE
