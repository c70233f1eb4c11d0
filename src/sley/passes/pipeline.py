"""The order of the passes, as data, and the one entry to all of them."""

from collections.abc import Callable

from sley.passes.addresses import without_id_marks
from sley.passes.attempts import fail_for_a_reason, has_attempts
from sley.passes.constants import propagate_constants
from sley.passes.dead_code import remove_dead_code
from sley.passes.first_thread import settle_first
from sley.passes.inline import InlineOptions, inline
from sley.passes.instances import separate_instances
from sley.passes.known_values import settle_known
from sley.passes.merge import merge_local_steps
from sley.passes.pieces import settle_pieces
from sley.passes.private import use_registers
from sley.passes.properties import select_properties
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property

Pass = Callable[[Program], Program]

BEFORE_PROPERTIES: tuple[tuple[str, Pass], ...] = (("constants", propagate_constants),)
"""Known addresses need no check."""

AFTER_PROPERTIES: tuple[tuple[str, Pass], ...] = (
    ("merge", merge_local_steps),
    ("dead code", remove_dead_code),
)
"""Merging gives loaded values their names before dead code could take them."""

AT_LAST: tuple[tuple[str, Pass], ...] = (
    ("merge again", merge_local_steps),
    ("dead code again", remove_dead_code),
)
"""Each helps the other; once no other pass is to come."""


def prepare(
    program: Program,
    properties: frozenset[Property] = ALL_PROPERTIES,
    *,
    inlining: InlineOptions | None = None,
    attempts_may_fail: bool = False,
    is_specialised: bool = False,
    keeps_memory: bool = False,
    after_pass: Callable[[str, Program], None] | None = None,
) -> Program:
    """The flat program that engines work on, in which the selected properties can be violated.

    With ``attempts_may_fail``, so may ``pthread_mutex_trylock`` and its kin, for no reason. With
    ``is_specialised`` more is to come: ``passes.frozen`` goes on, and needs the marks of thread ids. With
    ``keeps_memory`` no local object becomes registers: reads of what was never written are told from
    others in memory only, and the tests compare both.
    ``after_pass`` sees the program after each pass; the tests validate it there.
    """
    if not attempts_may_fail:
        program = fail_for_a_reason(program)
    passes: list[tuple[str, Pass]] = [
        ("inline", lambda p: inline(p, inlining)),
        ("first thread", settle_first),
        *BEFORE_PROPERTIES,
        ("known", settle_known),
        ("pieces", settle_pieces),
        *([] if keeps_memory or Property.UNINITIALISED in properties else [("private", use_registers)]),
        ("instances", separate_instances),
        ("properties", lambda p: select_properties(p, properties)),
        *AFTER_PROPERTIES,
    ]
    if not is_specialised:
        passes.insert(1, ("ids", without_id_marks))
        passes += AT_LAST
    for name, run in passes:
        program = run(program)
        if after_pass is not None:
            after_pass(name, program)
    return program


def may_try(program: Program) -> bool:
    """Whether something in a program may be only tried, as far as constants tell."""
    return has_attempts(program) and has_attempts(propagate_constants(inline(program)))
