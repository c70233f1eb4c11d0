"""Each file here is a program before a pass, and after it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sley.passes.constants import propagate_constants
from sley.passes.dead_code import remove_dead_code
from sley.passes.inline import InlineOptions, inline
from sley.passes.merge import merge_local_steps
from sley.passes.pipeline import prepare
from sley.passes.properties import select_properties
from sley.program.parser import parse_program
from sley.program.printer import print_program
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.program.validate import validate

CASES = sorted(Path(__file__).parent.glob("*.txt"))
SEPARATOR = "\n=== after\n"


def the_pass(text: str) -> Callable[[Program], Program]:
    """The pass that the comments at the top of a file name, with its options."""
    options = dict(re.findall(r"^# ([a-z ]+): (.+)$", text, re.MULTILINE))
    words = options.get("properties")
    properties = ALL_PROPERTIES if words is None else frozenset(map(Property, words.split()))
    bound = int(options.get("recursion bound", 10))
    return {
        "inline": lambda program: inline(program, InlineOptions(recursion_bound=bound)),
        "constants": propagate_constants,
        "properties": lambda program: select_properties(program, properties),
        "dead code": remove_dead_code,
        "merge": merge_local_steps,
        "prepare": lambda program: prepare(program, properties),
    }[options["pass"]]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_before_and_after(path: Path) -> None:
    before, after = path.read_text().split(SEPARATOR)
    program = parse_program(before, path.name)
    validate(program, is_flat="function" not in before)
    result = the_pass(before)(program)
    validate(result, is_flat=True)
    assert print_program(result) == after
