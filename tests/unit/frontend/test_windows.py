"""Functions of Windows that tell something without ordering memory, or numbers that nobody promises."""

from pathlib import Path

import pytest

from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Task
from sley.verification.verify import verify

HEAD = "#include <windows.h>\n#include <assert.h>\n"
EXIT_CODE = """
int x;
DWORD WINAPI worker(LPVOID unused) { x = 1; return 5; }
int main(void)
{
    DWORD code;
    HANDLE thread = CreateThread(0, 0, worker, 0, 0, 0);
    GetExitCodeThread(thread, &code);
    if (code == 5)
        x = 2;
}
"""
PREVIOUS_COUNT = """
int x;
HANDLE semaphore;
DWORD WINAPI worker(LPVOID unused) { x = 1; ReleaseSemaphore(semaphore, 1, 0); return 0; }
int main(void)
{
    LONG previous = 0;
    semaphore = CreateSemaphore(0, 0, 5, 0);
    CreateThread(0, 0, worker, 0, 0, 0);
    ReleaseSemaphore(semaphore, 1, &previous);
    if (previous)
        x = 2;
}
"""
NUMBER = "int main(void) { HANDLE mutex = CreateMutex(0, 0, 0); assert((LONG64)mutex %s 16); }"


@pytest.mark.parametrize(
    ("text", "group"),
    [
        (EXIT_CODE, "race"),
        (PREVIOUS_COUNT, "race"),
        (NUMBER % "==", "reach"),
        (NUMBER % "!=", "reach"),
        (NUMBER % ">", "reach"),
    ],
)
def test_what_is_not_promised_is_not_proved(tmp_path: Path, text: str, group: str) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + text)
    selection = Selection(PROPERTY_GROUPS[group])
    result = verify(Task(paths=(path,), selection=selection, engines=("explore",), jobs=0))
    assert result.answer is Answer.UNKNOWN
