"""Small cases for the rules of a pass: a few edges before it, and after it.

A file under ``rules/`` has a head, which is a program with ``...`` in it, and cases::

    --- a title that says the rule
    0 -> 1 : k := 1:i32
    1 -> 9 : store x, k
    ==>
    0 -> 1 : k := 1:i32
    1 -> 9 : store x, 1:i32

The lines before ``==>`` go to where the dots are; from the first ``thread``, ``function``, ``global`` or
``code`` on they go behind the head. Behind ``==>`` stands what the pass has made of them: the lines of the
program that are not in the head, and with a minus sign those of the head that are gone; ``unchanged`` if
the pass has left them alone. Comments such as ``# properties: reach`` are the options of the pass, in the
head for all cases of the file.

``python -m tests.passes.rules --update`` writes down what passes do now: read the difference.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sley.analyses.pointers import PointsTo
from sley.passes.addresses import hide_addresses, without_id_marks
from sley.passes.attempts import fail_for_a_reason
from sley.passes.constants import propagate_constants
from sley.passes.dead_code import remove_dead_code
from sley.passes.error_calls import only_calls_of
from sley.passes.frozen import without_frozen_loads
from sley.passes.inline import InlineOptions, inline
from sley.passes.instances import separate_instances
from sley.passes.merge import merge_local_steps
from sley.passes.pipeline import prepare
from sley.passes.private import use_registers
from sley.passes.properties import select_properties
from sley.program.printer import print_program
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from tests.textual.parser import parse_program
from tests.textual.validation import validate

FILES = sorted((Path(__file__).parent / "rules").glob("*.txt"))
ARROW = "==>\n"


class Case(NamedTuple):
    """One rule."""

    file: str
    head: str
    title: str
    before: str
    after: str


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    head, *parts = re.split(r"^--- ", path.read_text(), flags=re.MULTILINE)
    for part in parts:
        title, _, text = part.partition("\n")
        before, _, after = text.partition(ARROW)
        yield Case(path.stem, head, title, before.strip(), after.strip())


def result_of(case: Case) -> str:
    """What the pass makes of a case, as it stands behind the arrow."""
    inside, also = _divided(case.before)
    text = case.head.replace("...", inside) + also
    program = parse_program(text, case.file)
    validate(program, is_flat=_is_flat(text))
    result = the_pass(f"{case.head}\n{case.before}")(program)
    validate(result, is_flat=_is_flat(print_program(result)))
    made, known = _lines(print_program(result)), _lines(case.head)
    gone = [f"- {line}" for line in known if line not in made and line != "..."]
    shown = [*(line for line in made if line not in known), *gone]
    is_same = shown == [line for line in _lines(case.before) if line not in known]
    return "unchanged" if is_same else "\n".join(shown)


def _divided(before: str) -> tuple[str, str]:
    found = re.search(r"^(thread|function|global|code) ", before, re.MULTILINE)
    at = len(before) if found is None else found.start()
    return before[:at], before[at:] + "\n"


def _is_flat(text: str) -> bool:
    return re.search("^function ", text, re.MULTILINE) is None


def _lines(text: str) -> list[str]:
    lines = (re.sub(r" +;", " ;", line.strip()) for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def the_pass(text: str) -> Callable[[Program], Program]:
    """The pass that the comments in a text name, with its options."""
    options = dict(re.findall(r"^ *# ([a-z ]+): (.+)$", text, re.MULTILINE))
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
        "attempts": fail_for_a_reason,
        "ids": without_id_marks,
        "instances": separate_instances,
        "private": use_registers,
        "frozen": lambda program: without_frozen_loads(program, PointsTo(program)),
        "addresses": lambda program: hide_addresses(program, PointsTo(program)),
        "error calls": lambda program: only_calls_of(program, options["error function"]),
    }[options["pass"]]


def main() -> int:
    """Write the files anew."""
    for path in FILES if sys.argv[1:] == ["--update"] else ():
        found = list(cases(path))
        text = "".join(f"--- {c.title}\n{c.before}\n{ARROW}{result_of(c)}\n\n" for c in found)
        path.write_text(found[0].head + text.rstrip() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
