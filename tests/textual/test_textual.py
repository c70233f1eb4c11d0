"""Programs in textual form, where locations, local steps and the order of threads are exactly as written.

The first line of each says what is true of it: ``# expect: bug`` if some run fails an assertion, ``# expect:
safe`` if none does. Like the marks of C programs, this is never edited to make a test pass. The folder
``impact`` has the traps of lazy abstraction with partial-order reduction, each with a safe companion.
"""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.proof import Proof
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.program import Program
from sley.program.properties import Property
from tests.textual.parser import parse_program
from tests.textual.validation import validate

FOLDER = Path(__file__).parent
PROGRAMS = sorted(FOLDER.rglob("*.sley"))
REACH = frozenset({Property.REACH})
VERDICTS: dict[str, type[Claimed[Proof] | Unsafe]] = {"bug": Unsafe, "safe": Claimed}


def expected_of(path: Path) -> type[Claimed[Proof] | Unsafe]:
    first = path.read_text().splitlines()[0]
    assert first.startswith("# expect: "), f"{path} does not say what is true of it"
    return VERDICTS[first.removeprefix("# expect: ")]


def program_in(path: Path) -> Program:
    program = parse_program(path.read_text(), path.name)
    validate(program, is_flat=True)
    return program


@pytest.mark.parametrize("reduction", [True, False])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_explore_gives_the_right_verdict(path: Path, reduction: bool) -> None:
    program = program_in(path)
    verdict, _ = explore(program, REACH, ExploreOptions(reduction=reduction), Budget())
    assert isinstance(verdict, expected_of(path))
    if isinstance(verdict, Claimed):
        check_closed_states(program, REACH, verdict.proof, Budget())
