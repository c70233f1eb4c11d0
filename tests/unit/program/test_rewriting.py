"""Reading and rebuilding instructions of every kind."""

from typing import get_args

import pytest

from sley.program.instructions import Calling, FaultTest, Instruction
from sley.program.program import Program
from sley.program.rewriting import read_terms, rewritten, written_registers
from tests.textual.parser import parse_program

KINDS = [
    ("skip", "", ""),
    ("t := u, u := t", "u t", "t u"),
    ("assume b", "b", ""),
    ('check b, reach rule "message"', "b", ""),
    ("havoc t, input", "", "t"),
    ("load t, *p", "p", "t"),
    ("store *p, t", "p t", ""),
    ("update t, *p, u", "p u", "t"),
    ("update t, *p, u if b else relaxed", "p u b", "t"),
    ("fence seq_cst full", "", ""),
    ("allocate p, q, i8", "q", "p"),
    ("free p", "p", ""),
    ("enter buf", "", ""),
    ("leave buf", "", ""),
    ("create p, main(q)", "q", "p"),
    ("create p, *q(p)", "q p", "p"),
    ("join p, q", "q", "p"),
    ("join q", "q", ""),
    ("detach p", "p", ""),
    ("exit p", "p", ""),
    ("exit", "", ""),
    ("end abort", "", ""),
    ("lock *p", "p", ""),
    ("unlock *p", "p", ""),
    ("atomic_begin", "", ""),
    ("atomic_end", "", ""),
    ("await b", "b", ""),
    ("await b spurious", "b", ""),
    ("call t, f(p, u)", "p u", "t"),
    ("call f()", "", ""),
    ("call t, *p(u)", "p u", "t"),
    ("call_unmodelled t, f(u)", "u", "t"),
    ("call_unmodelled t, f(u, p) within (*, 8)", "u p", "t"),
    ("return t", "t", ""),
    ("return", "", ""),
    ('give_up "reason"', "", ""),
    ("fault update t, *p, u", "p u", ""),
]


def program_with(text: str) -> tuple[Program, Instruction]:
    program = parse_program(
        f"""
program lp64
thread main {{
  reg t : i32
  reg u : i32
  reg p : i64
  reg q : i64
  reg b : bool
  local buf : i32
  entry 0 exit 1
  0 -> 1 : {text}
}}
"""
    )
    return program, program.functions["main"].edges[0].instruction


@pytest.mark.parametrize(("text", "reads", "writes"), KINDS, ids=[text for text, _, _ in KINDS])
def test_what_an_instruction_reads_and_writes(text: str, reads: str, writes: str) -> None:
    program, instruction = program_with(text)
    names = {r.term: r.name for r in program.functions["main"].registers}
    assert [names[term] for term in read_terms(instruction)] == reads.split()
    assert [register.name for register in written_registers(instruction)] == writes.split()


@pytest.mark.parametrize(("text", "reads", "writes"), KINDS, ids=[text for text, _, _ in KINDS])
def test_rewriting_reaches_everything(text: str, reads: str, writes: str) -> None:
    program, instruction = program_with(text)
    main = program.functions["main"]
    partner = {"t": "u", "u": "t", "p": "q", "q": "p", "b": "b"}
    by_name = {r.name: r for r in main.registers}
    swapped_terms = {r.term: by_name[partner[r.name]].term for r in main.registers}
    made = rewritten(
        instruction,
        term=lambda t: program.terms.substitute(t, swapped_terms),
        register=lambda r: by_name[partner[r.name]],
    )
    assert type(made) is type(instruction)
    names = {r.term: r.name for r in main.registers}
    assert [names[term] for term in read_terms(made)] == [partner[n] for n in reads.split()]
    assert [r.name for r in written_registers(made)] == [partner[n] for n in writes.split()]
    assert rewritten(instruction) == instruction


def test_all_kinds_are_tried() -> None:
    tried = {type(program_with(text)[1]) for text, _, _ in KINDS}
    assert len(tried) == len(get_args(Instruction))
    assert {*get_args(Calling), FaultTest} <= tried
