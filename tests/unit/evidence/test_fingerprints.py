"""A fingerprint changes with what fails, and with nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.evidence.fingerprints import LENGTH, fingerprint
from sley.verification.task import Task
from sley.verification.verify import verify

RACE = """#include <pthread.h>
int n, k;
void *add(void *p) { n = n + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    n = 7;
    pthread_join(t, 0);
    return 0;
}
"""

LEAK = """#include <stdlib.h>
int main(void) {
    char *one = malloc(1);
    one = 0;
    return 0;
}
"""


def of(tmp_path: Path, text: str, name: str = "a.c") -> list[str]:
    path = tmp_path / name
    path.write_text(text)
    return [fingerprint(trace) for trace in verify(Task(paths=(path,))).traces]


@pytest.mark.parametrize(
    ("program", "old", "new", "is_same"),
    [
        (RACE, "int n, k;\n", "int n;\n\n/* moved */\n\nint k;\n", True),
        (RACE, "n = 7;", "n  =\n    7;", True),
        (RACE, "n = 7;", "n = 8;", False),
        (RACE, "add", "sum", False),
        (LEAK, "return 0;", "return 1;", True),
        (LEAK, "malloc(1)", "malloc(2)", False),
    ],
)
def test_lines_do_not_matter_but_statements_do(
    tmp_path: Path, program: str, old: str, new: str, is_same: bool
) -> None:
    before, after = of(tmp_path, program), of(tmp_path, program.replace(old, new))
    assert [len(one) for one in before] == [LENGTH] * max(1, len(before))
    assert (before == after) is is_same


def test_it_tells_findings_and_files_apart(tmp_path: Path) -> None:
    found = of(tmp_path, RACE) + of(tmp_path, LEAK) + of(tmp_path, RACE, "b.c")
    assert len(set(found)) == len(found)


def test_the_folder_and_the_order_of_the_parties_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert of(tmp_path, RACE) == of(tmp_path / "other", RACE)
    (trace,) = verify(Task(paths=(tmp_path / "a.c",))).traces
    assert fingerprint(replace(trace, events=trace.events[::-1])) == fingerprint(trace)
