"""Which orders a program needs."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from sley.base.budget import Budget
from sley.evidence.verdict import Safe
from sley.frontend.load import load
from sley.passes.guarantees import (
    Guarantee,
    GuaranteeKind,
    Guarantees,
    GuaranteeSite,
    guaranteeing,
    named,
    possible,
    sites,
)
from sley.program.instructions import Fence
from sley.program.memory_model import MemoryModel
from sley.program.printer import print_program
from sley.reports import suggestions as wording
from sley.reports.lines import plain
from sley.reports.text import report
from sley.verification.observer import SilentObserver
from sley.verification.result import Answer
from sley.verification.suggestions import Suggestions, fewest, suggest_orders
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.limits import AMPLE

C11, TSO = MemoryModel.C11, MemoryModel.TSO
ORDERS = Path(__file__).parents[2] / "programs/orders"


def suggested(program: Path) -> Suggestions:
    result = verify(Task(paths=(program,), jobs=0))
    return suggest_orders(result, SilentObserver(), Budget(AMPLE))


def needed(program: Path) -> dict[int, str | None]:
    """What the sites of each line need."""
    found = suggested(program)
    assert not found.undecided
    return {
        one.origin.span.line: one.needed.success and one.needed.success.value
        for one in found.sites
        if one.origin.span is not None
    }


@pytest.mark.parametrize("name", ["rc11_treiber_stack", "message_fences", "rc11_michael_scott_queue"])
def test_what_the_program_says_is_a_set_of_guarantees(name: str) -> None:
    program = load((ORDERS / f"{name}.c",))
    at = sites(program, C11)
    assert print_program(guaranteeing(program, named(at, C11), C11)) == print_program(program)
    assert named(at, C11) <= possible(at, C11)


def test_fences_of_machines_stand_behind_stores() -> None:
    program = load((ORDERS / "store_buffering_fences.c",))
    at = sites(program, TSO)
    assert print_program(guaranteeing(program, named(at, TSO), TSO)) == print_program(program)
    everywhere = guaranteeing(program, possible(at, TSO), TSO)
    fences = [edge for edge in everywhere.edges if isinstance(edge.instruction, Fence)]
    assert len(fences) == len(at) > len(named(at, TSO)) == 2
    nowhere = guaranteeing(program, frozenset(), TSO)
    assert not any(isinstance(edge.instruction, Fence) for edge in nowhere.edges)


def test_what_is_stronger_than_needed_is_said(tmp_path: Path) -> None:
    assert needed(ORDERS / "message_seq_cst.c") == {12: "release", 21: "acquire"}


def test_what_is_too_weak_is_made_stronger() -> None:
    assert needed(ORDERS / "message_relaxed.c") == {12: "release", 21: "acquire"}
    assert set(needed(ORDERS / "store_buffering.c").values()) == {"seq_cst"}


def test_a_fence_that_orders_nothing_goes(tmp_path: Path) -> None:
    text = (ORDERS / "message_release_acquire.c").read_text()
    at = text.index("    atomic_store_explicit(")
    program = tmp_path / "fence.c"
    program.write_text(text[:at] + "    atomic_thread_fence(memory_order_release);\n" + text[at:])
    line = text[:at].count("\n") + 1
    assert needed(program)[line] is None
    assert "the fence: not needed" in plain(wording.report(suggested(program), 100))


def test_where_orders_do_not_help_that_is_said() -> None:
    found = suggested(Path(__file__).parents[3] / "examples/lost_update.c")
    assert found.unhelpful is not None
    assert " Order Even with all orders and fences" in plain(wording.report(found, 100))


def test_orders_that_are_arguments_stay_as_they_are() -> None:
    assert not sites(load((ORDERS / "message_wrapped.c",)), C11)


def test_each_suggestion_is_safe_and_no_guarantee_can_be_spared() -> None:
    task = Task(paths=(ORDERS / "rc11_seqlock.c",), jobs=0)
    found = suggested(task.paths[0])
    assert found.violated >= len(named(sites(load(task.paths), C11), C11))
    assert all(one.needed == one.written for one in found.sites)
    assert isinstance(verify(task).outcome, Safe)


@pytest.mark.parametrize("seed", range(30))
def test_fewest_is_a_smallest_set(seed: int) -> None:
    lot = Random(seed)
    group = frozenset(Guarantee(GuaranteeSite("f", n), GuaranteeKind.ACQUIRE) for n in range(5))
    bases = [frozenset(lot.sample(sorted(group, key=str), lot.randint(1, 4))) for _ in range(3)]

    def suffice(some: Guarantees) -> bool:
        return some == group or any(base <= some for base in bases)

    smallest = next(
        size
        for size in range(6)
        if any(suffice(frozenset(some)) for some in combinations(sorted(group, key=str), size))
    )
    found = fewest(group, suffice)
    assert suffice(found)
    assert len(found) == smallest


def test_a_violation_that_only_the_memory_model_allows_is_said_to_be_one() -> None:
    weak = verify(Task(paths=(ORDERS / "store_buffering.c",), jobs=0))
    assert (weak.answer, weak.interleaved) == (Answer.BUG, Answer.SAFE)
    assert "Under sequential consistency (--memory-model sc) this cannot happen" in plain(report(weak))
    anyway = verify(Task(paths=(ORDERS.parent / "race/join_too_late.c",), jobs=0))
    assert (anyway.answer, anyway.interleaved) == (Answer.BUG, None)
