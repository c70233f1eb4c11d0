"""What may hold the address of a heap block stays in memory where a state has to know all frames."""

import pytest

from sley.passes.private import use_registers
from sley.program.instructions import Enter
from tests.textual.parser import parse_program

TEXT = """
program lp64
keeps_frames
global x : i64
thread main() {{
  reg h : i64
  reg b : i64
  reg t : i64
  local v : i64 pointer as "v"
  local w : i64 pointer as "w"
  entry 0 exit 9
  0 -> 1 : enter v
  1 -> 2 : enter w
  2 -> 3 : {made}
  3 -> 4 : store v, b
  4 -> 5 : load t, v
  5 -> 6 : store w, (bvadd t 8:i64)
  6 -> 9 : end exit
}}
"""


@pytest.mark.parametrize(
    ("made", "kept"),
    [
        ("b := &x", []),
        ("havoc b, input", []),
        ("allocate b, 8:i64, i64", ["v", "w"]),
        ("load b, x", ["v", "w"]),
    ],
)
def test_holders_of_blocks_stay(made: str, kept: list[str]) -> None:
    (main,) = use_registers(parse_program(TEXT.format(made=made))).functions.values()
    entered = [e.instruction.object.name for e in main.edges if isinstance(e.instruction, Enter)]
    assert entered == kept
