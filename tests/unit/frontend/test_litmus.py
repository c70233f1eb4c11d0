"""Litmus tests are read as herd reads them, and keep their dependencies."""

from pathlib import Path

import pytest

from sley.base.errors import InputError, UnsupportedFeatureError
from sley.frontend.litmus.load import load_litmus
from sley.frontend.litmus.reading import read_test
from sley.frontend.litmus.test import Conjunction, Disjunction, Holds, LitmusLanguage, Negation, Quantifier
from sley.passes.pipeline import prepare
from sley.program.instructions import Assume, Fence, Load, Store, Update
from sley.program.program import Program
from sley.program.properties import Property
from tests.textual.validation import validate

SB = r"""X86 SB (remark)
"PodWR Fre PodWR Fre"
Cycle=Fre PodWR Fre PodWR
{ x=0; y=0; 1:EBX=7; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MFENCE      |             ;
 MOV EAX,[y] | MOV EBX,[x] ;
locations [x; y;]
exists (0:EAX=0 /\ (1:EBX=0 \/ ~(x=1)))
"""

MP = r"""PPC MP+lwsync+ctrlisync
{
0:r2=x; 0:r4=y;
1:r2=y; 1:r4=x; 1:r6=z;
}
 P0           | P1           ;
 li r1,1      | lwz r1,0(r2) ;
 stw r1,0(r2) | xor r5,r1,r1 ;
 lwsync       | lwzx r7,r5,r6;
 li r3,1      | cmpw r7,r7   ;
 stw r3,0(r4) | beq  LC00    ;
              | LC00: isync  ;
              | lwz r3,0(r4) ;
exists (1:r1=1 /\ 1:r3=0)
"""

C = r"""C MP (* Result: Sometimes *)
{ [x] = 0; int y = 0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);  // data
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* x, volatile int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = -1;
  if (r0) { r1 = *x; }
}
~exists (1:r0=1 /\ 1:r1=0 /\ 1:r9=0)
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "test.litmus"
    path.write_text(text)
    return path


def loaded(folder: Path, text: str) -> Program:
    program = load_litmus(written(folder, text))
    validate(program, is_flat=False)
    return prepare(program, frozenset({Property.REACH}), after_pass=lambda _, p: validate(p, is_flat=True))


def test_parts(tmp_path: Path) -> None:
    test = read_test(written(tmp_path, SB))
    assert (test.name, test.architecture, test.quantifier) == ("SB", LitmusLanguage.X86, Quantifier.EXISTS)
    assert test.registers == {(1, "EBX"): 7}
    assert [line.text for line in test.threads[0]] == ["MOV [x],$1", "MFENCE", "MOV EAX,[y]"]
    assert test.threads[1][1].span.line == 8
    either = Disjunction((Holds(1, "EBX", 0), Negation(Holds(None, "x", 1))))
    assert test.outcome == Conjunction((Holds(0, "EAX", 0), either))


def test_x86(tmp_path: Path) -> None:
    steps = [edge.instruction for edge in loaded(tmp_path, SB).functions["P0"].edges]
    assert [type(step) for step in steps if isinstance(step, Load | Store | Fence)] == [Store, Fence, Load]


def test_locked_instructions_are_updates(tmp_path: Path) -> None:
    text = "X86 U\n{}\n P0 | P1 ;\n XCHG [x],EAX | lock inc [x] ;\nforall (x=1 \\/ x=0)\n"
    program = loaded(tmp_path, text)
    for name in ("P0", "P1"):
        assert any(isinstance(edge.instruction, Update) for edge in program.functions[name].edges)


def test_dependencies_stay(tmp_path: Path) -> None:
    """Though ``xor r5,r1,r1`` is 0, the address and the branch still mention what was read."""
    program = loaded(tmp_path, MP)
    edges, terms = program.functions["P1"].edges, program.terms
    loads = [edge.instruction for edge in edges if isinstance(edge.instruction, Load)]
    assert len(loads) == 3
    assert terms.variables(loads[1].access.address) or any(
        terms.variables(value)
        for edge in edges
        for _, value in getattr(edge.instruction, "assignments", ())
        if terms.sort(value) == terms.sort(loads[1].access.address)
    )
    branches = [edge.instruction for edge in edges if isinstance(edge.instruction, Assume)]
    assert len(branches) == 2
    assert all(terms.variables(branch.condition) for branch in branches)


def test_c_stays_where_it_is(tmp_path: Path) -> None:
    program = loaded(tmp_path, C)
    stores = [edge for edge in program.functions["thread_0"].edges if isinstance(edge.instruction, Store)]
    assert [edge.origin.span.line for edge in stores if edge.origin.span] == [4, 5]
    assert [edge.origin.text for edge in stores][1].startswith("atomic_store_explicit(y")
    assert "Sometimes" in read_test(tmp_path / "test.litmus").comments


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X86\n", "begins with a language"),
        ("X86 A\nP0 ;\nexists (x=1)", "first values"),
        ("X86 A\n{}\nP0 ;\nMOV [x],$1 ;\n", "no `exists`"),
        ("X86 A\n{}\nexists (x=1)", "name the threads"),
        ("X86 A\n{}\nP0 ;\nMOV [x],$1 ;\nexists x=1 /\\ ", "ends too early"),
        ("C A\n{}\nexists (x=1)", "there are no threads"),
        ("X86 A\n{}\nP0 ;\nMOV [x],$1 ;\nexists (1:EAX=1)", "a thread that there is not"),
    ],
)
def test_no_test(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_test(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RISCV A\n{}\nP0 ;\nNOP ;\nexists (x=1)", "RISCV"),
        ("AArch64 A\n{0:X1=x;}\nP0 ;\nLDXR W0,[X1] ;\nexists (x=1)", "LDXR"),
        ("AArch64 A\n{0:X1=x;}\nP0 ;\nSTR X1,[X1] ;\nexists (x=1)", "address in `X1`"),
        ("AArch64 A\n{}\nP0 ;\nMOV WZR,#1 ;\nexists (x=1)", "WZR"),
        ("AArch64 A\n{0:X1=x;}\nP0 ;\nLDADD W0,W0,[X1] ;\nexists (x=1)", "its own operand"),
        ("X86 A\n{}\nP0 ;\nFOO [x] ;\nexists (x=1)", "FOO"),
        ("PPC A\n{0:r2=x;}\nP0 ;\nlwarx r1,r0,r2 ;\nexists (x=1)", "lwarx"),
        ("PPC A\n{0:r2=x;}\nP0 ;\nstw r2,0(r2) ;\nexists (x=1)", "address in `r2`"),
    ],
)
def test_not_supported(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnsupportedFeatureError, match=message):
        load_litmus(written(tmp_path, text))
