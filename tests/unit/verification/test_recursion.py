"""Recursion is inlined as deep as runs go, and equally deep calls may share a copy."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.reasons import Why, why_of
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.verdict import Claimed, Unknown, Unsafe
from sley.passes.frozen import specialise
from sley.passes.inline import InlineOptions, inline
from sley.passes.pipeline import prepare
from sley.program.instructions import GiveUp
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES
from sley.verification.reading import loaded_program, prepared
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.textual.validation import validate

PROGRAMS = sorted(Path("tests/programs/recursion").glob("*.c"))


def flat(path: Path, options: InlineOptions) -> Program:
    loaded = loaded_program(Task(paths=(path,)))
    return specialise(prepare(loaded, ALL_PROPERTIES, inlining=options, is_specialised=True))


def answer(program: Program) -> object:
    verdict, _ = explore(program, ALL_PROPERTIES, ExploreOptions(), Budget())
    match verdict:
        case Claimed(proof=ClosedStates() as proof):
            check_closed_states(program, ALL_PROPERTIES, proof, Budget())
            return "safe"
        case Unsafe(traces=traces):
            return {trace.failure for trace in traces}
        case Unknown(reason=reason):
            return reason
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_calls_that_share_a_copy_do_what_calls_with_copies_of_their_own_do(path: Path) -> None:
    shared = flat(path, InlineOptions(recursion_bound=4, copied_edges=0))
    validate(shared, is_flat=True)
    assert answer(shared) == answer(flat(path, InlineOptions(recursion_bound=4)))


def test_shared_copies_are_few() -> None:
    path = Path("tests/programs/recursion/hanoi.c")
    loaded = loaded_program(Task(paths=(path,)))
    copied, shared = (inline(loaded, InlineOptions(copied_edges=most)) for most in (10**6, 0))
    assert 20 * len(list(shared.edges)) < len(list(copied.edges))


def too_deep(program: Program) -> set[str]:
    reasons = {e.instruction.reason for e in program.edges if isinstance(e.instruction, GiveUp)}
    return {reason for reason in reasons if why_of(reason) is Why.RECURSION}


def test_recursion_is_inlined_as_deep_as_runs_go(tmp_path: Path) -> None:
    deep = prepared(loaded_program(task := Task(paths=(Path("tests/programs/recursion/deep.c"),))), task)
    assert not too_deep(deep)
    assert isinstance(answer(deep), set)
    endless = tmp_path / "endless.c"
    endless.write_text("int f(int n) { return n ? 1 + f(n) : 0; }\nint main(void) { return f(1); }\n")
    task = Task(paths=(endless,))
    assert too_deep(prepared(loaded_program(task), task)) == {"recursion deeper than 10 calls of `f`"}


FIFTEEN = """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int depth(int left) { assert(left > 1); return depth(left - 1); }
int main(void) { return __VERIFIER_nondet_int() == 9989 ? depth(15) : 0; }
"""
"""The fifteenth call fails, for one input."""


def test_a_bug_deeper_than_ten_calls_is_found_if_that_is_asked_for(tmp_path: Path) -> None:
    """No random run comes there, and the answer says how deep was looked."""
    source = tmp_path / "fifteen.c"
    source.write_text(FIFTEEN)

    def found(recursion: int | None, engine: str = "bmc") -> Result:
        return verify(Task(paths=(source,), recursion=recursion, engines=(engine,), jobs=0))

    assert found(None).outcome == Unknown("recursion deeper than 10 calls of `depth`")
    assert found(14).outcome == Unknown("recursion deeper than 14 calls of `depth`")
    assert isinstance(found(15).outcome, Unsafe)
    assert isinstance(found(15, "explore").outcome, Unsafe)


def test_what_no_run_comes_to_is_not_inlined_deeper(tmp_path: Path) -> None:
    shallow = tmp_path / "shallow.c"
    shallow.write_text(
        "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n"
        "int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; }\n"
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 3); return f(n); }\n"
    )
    task = Task(paths=(shallow,))
    assert too_deep(prepared(loaded_program(task), task)) == {"recursion deeper than 10 calls of `f`"}
