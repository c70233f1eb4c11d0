"""The graph for people."""

from sley.program.dot import to_dot
from tests.textual.parser import parse_program

TEXT = """
program lp64
global x : i32
thread main {
  reg t : i32
  entry 0 exit 3
  error 4 : reach assertion "\\"x\\" is wrong"
  0 -> 1 : load t, x "x"                  ; main.c:5:3 "assert(s == \\"a\\")" in main
  1 -> 2 : assume (= t 0:i32)
  1 -> 4 : assume (not (= t 0:i32))
  2 -> 3 : exit
}
thread worker as "work" {
  entry 10 exit 11
  10 -> 11 : give_up "GIVE-UP"
}
"""


def test_a_cluster_per_thread_with_c_text_and_red_errors() -> None:
    dot = to_dot(parse_program(TEXT.replace("GIVE-UP", "x" * 200)))
    lines = [line.strip() for line in dot.splitlines()]
    assert lines[0] == "digraph program {"
    assert dot.count("{") == dot.count("}")
    assert 'label="main";' in lines
    assert 'label="work";' in lines
    assert r'n0_0 -> n0_1 [label="5: assert(s == \"a\")\nload t, x \"x\""];' in lines
    assert r'n0_1 -> n0_4 [label="assume (not (= t 0:i32))", color=red];' in lines
    assert r'n0_4 [label="4", color=red, fontcolor=red, style=bold, tooltip="\"x\" is wrong"];' in lines
    assert 'n0_3 [label="3", shape=doublecircle];' in lines
    assert max(map(len, lines)) < 200
