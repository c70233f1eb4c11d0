"""The traps of lazy abstraction with partial-order reduction, over many orders of the work list.

Each program catches a design that says SAFE wrongly, often only in an unlucky order. The marks of the C
programs and the first lines of the textual ones say what is true.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.impact.engine import impact
from sley.engines.impact.options import ImpactOptions, Interleaving
from sley.evidence.proof import Proof
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.program import Program
from sley.program.properties import Property
from tests.fuzz.laws import loaded
from tests.limits import AMPLE
from tests.textual.test_textual import REACH, expected_of, program_in

TESTS = Path(__file__).parents[2]
C_PROGRAMS = sorted((TESTS / "programs" / "impact").glob("[st][0-9][0-9]_*.c"))
TEXTUAL = sorted((TESTS / "textual" / "impact").glob("*.sley"))
MAIN = ImpactOptions(interleaving=Interleaving.DYNAMIC, force_cover=True)
OTHERS = (
    ImpactOptions(interleaving=Interleaving.DYNAMIC, force_cover=False),
    ImpactOptions(interleaving=Interleaving.STATIC, force_cover=True),
    ImpactOptions(interleaving=Interleaving.LOCKSTEP, force_cover=True),
)
FIRST_ORDERS, MORE_ORDERS = range(1, 11), range(11, 51)
ORDERS_OF_OTHERS = 3


@cache
def prepared(path: Path) -> tuple[Program, type[Claimed[Proof] | Unsafe]]:
    """The program and its verdict."""
    if path.suffix == ".sley":
        return program_in(path), expected_of(path)
    is_safe = "reach=true" in path.read_text().splitlines()[0]
    return loaded(path, frozenset({Property.REACH})), Claimed if is_safe else Unsafe


def test_there_are_programs() -> None:
    assert len(C_PROGRAMS) >= 58
    assert len(TEXTUAL) >= 40


@pytest.mark.parametrize(
    "orders", [FIRST_ORDERS, pytest.param(MORE_ORDERS, marks=pytest.mark.long)], ids=["first", "more"]
)
@pytest.mark.parametrize("path", [*C_PROGRAMS, *TEXTUAL], ids=lambda path: path.name)
def test_every_order_gives_the_right_verdict(path: Path, orders: range) -> None:
    program, expected = prepared(path)
    for seed in orders:
        for options in (MAIN, *OTHERS) if seed <= ORDERS_OF_OTHERS else (MAIN,):
            verdict, _ = impact(program, REACH, replace(options, order_seed=seed), Budget(AMPLE))
            assert isinstance(verdict, expected), (seed, options)
            if isinstance(verdict, Claimed) and seed == 1:
                check_reachability_tree(program, REACH, verdict.proof, Budget(AMPLE))
