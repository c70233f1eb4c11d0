"""Values and addresses as users would write them."""

from pathlib import Path

import pytest

from sley.verification.task import Task
from sley.verification.verify import verify
from sley.wording.events import facts_of


def facts(folder: Path, text: str) -> str:
    """What the report says about the values in a failing assertion."""
    path = folder / "program.c"
    path.write_text(f"#include <assert.h>\n#include <stdlib.h>\n{text}\n")
    return ", ".join(facts_of(verify(Task(paths=(path,))).traces[0]))


@pytest.mark.parametrize(
    ("declared", "value", "shown"),
    [
        ("double", "0.1 + 0.2 + 0.3", "0.6000000000000001"),
        ("double", "0.5", "0.5"),
        ("float", "1.0000001f", "1.0000001"),
        ("float", "0.1f", "0.1"),
        ("double", "1e300 * 1e300", "inf"),
    ],
)
def test_as_many_digits_as_tell_a_number_from_others(
    tmp_path: Path, declared: str, value: str, shown: str
) -> None:
    text = f"volatile {declared} x;\nint main(void) {{ x = {value}; assert(x == 7); }}"
    assert facts(tmp_path, text) == f"x = {shown}"


@pytest.mark.parametrize(
    ("pointer", "shown"),
    [
        ("&accounts[0]", "&accounts[0]"),
        ("&accounts[1]", "&accounts[1]"),
        ("&accounts[1].first", "&accounts[1]"),
        ("&accounts[1].second", "&accounts[1].second"),
        ("&single", "&single"),
        ("&single.second.b", "&single.second.b"),
        ("&grid[1][0]", "&grid[1][0]"),
        ("(char *)&single + 1", "&single"),
    ],
)
def test_an_address_names_the_largest_part_that_begins_there(
    tmp_path: Path, pointer: str, shown: str
) -> None:
    text = "struct account { struct { int a, b; } first, second; } accounts[2], single;\nint grid[2][2];\n"
    text += f"void *p;\nint main(void) {{ p = {pointer}; assert(p == 0); }}"
    assert facts(tmp_path, text) == f"p = {shown}"


def test_parts_of_heap_blocks_have_names(tmp_path: Path) -> None:
    text = "struct node { int value; struct node *next; };\nvoid *p;\n"
    text += "int main(void) { struct node *n = malloc(sizeof *n); p = &n->next;\n assert(p == 0); }"
    assert facts(tmp_path, text) == "p = &node#1.next"
