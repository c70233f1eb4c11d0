"""Each file here is a program before a pass, and after it; ``rules.py`` has the smaller cases."""

from pathlib import Path

import pytest

from sley.program.printer import print_program
from tests.passes.rules import the_pass
from tests.textual.parser import parse_program
from tests.textual.validation import validate

CASES = sorted(Path(__file__).parent.glob("*.txt"))
SEPARATOR = "\n=== after\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_before_and_after(path: Path) -> None:
    before, after = path.read_text().split(SEPARATOR)
    program = parse_program(before, path.name)
    validate(program, is_flat="function" not in before)
    result = the_pass(before)(program)
    validate(result, is_flat=True)
    assert print_program(result) == after
