"""Fences of machines, in programs for C11 and in programs for machines."""

from sley.passes.machine_fences import without_machine_fences, without_unknown_fences
from sley.program.instructions import Assign, Barrier, Fence, GiveUp, Instruction
from sley.program.program import Program
from tests.unit.frontend.lowering import Lowering, instructions


def fences(program: Program) -> list[Instruction]:
    kinds = Fence | GiveUp | Assign
    return [one for one in instructions(program.functions["main"]) if isinstance(one, kinds)]


def test_a_fence_that_no_machine_has_is_none_for_c11_and_unknown_on_machines(c: Lowering) -> None:
    program = c.program('int main(void) { __CPROVER_fence("RRfence"); return 0; }')
    (fence,) = fences(program)
    assert isinstance(fence, Fence)
    assert fence.barrier is Barrier.OTHER
    assert fences(without_machine_fences(program)) == [Assign()]
    (given_up,) = fences(without_unknown_fences(program))
    assert isinstance(given_up, GiveUp)


def test_a_fence_that_machines_have_stays(c: Lowering) -> None:
    program = c.program('int main(void) { __CPROVER_fence("WWfence"); return 0; }')
    assert without_unknown_fences(program) is program
