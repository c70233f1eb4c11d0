"""The axioms of machines on classic litmus tests, with the verdicts that are published for them.

Power: tables and figures of *Herding cats* and of Sarkar, Sewell, Alglave, Maranget, Williams, *Understanding
POWER multiprocessors* (PLDI 2011); TSO: Owens, Sarkar, Sewell (TPHOLs 2009).
"""

import pytest

from sley.program.memory_model import MemoryModel
from tests.unit.semantics.machine_litmus import allows

MACHINES = [one for one in MemoryModel if one not in (MemoryModel.C11, MemoryModel.ARMV8)]

_2_2W = {"x": 1, "y": 1}

CASES = {
    "SB": ("tso pso rmo power", "Wx1 Ry0", "Wy1 Rx0"),
    "SB+mfences": ("", "Wx1 F.full Ry0", "Wy1 F.full Rx0"),
    "SB+mfence+po": ("tso pso rmo power", "Wx1 F.full Ry0", "Wy1 Rx0"),
    "SB+lwsyncs": ("tso pso rmo power", "Wx1 F.light Ry0", "Wy1 F.light Rx0"),
    "SB, store-load barriers": ("", "Wx1 F.wr Ry0", "Wy1 F.wr Rx0"),
    "SB, own stores are seen (n6 of Intel)": ("tso pso rmo power", "Wx1 Rx1 Ry0", "Wy1 Ry1 Rx0"),
    "MP": ("pso rmo power", "Wx1 Wy1", "Ry1 Rx0"),
    "MP+stores+po": ("rmo power", "Wx1 F.stores Wy1", "Ry1 Rx0"),
    "MP+lwsync+po": ("rmo power", "Wx1 F.light Wy1", "Ry1 Rx0"),
    "MP+po+addr": ("pso rmo power", "Wx1 Wy1", "Ry1 Rx0.addr"),
    "MP+lwsync+addr": ("", "Wx1 F.light Wy1", "Ry1 Rx0.addr"),
    "MP+eieio+addr": ("", "Wx1 F.stores Wy1", "Ry1 Rx0.addr"),
    "MP+lwsync+ctrl": ("rmo power", "Wx1 F.light Wy1", "Ry1 Rx0.ctrl"),
    "MP+lwsync+ctrlisync": ("rmo", "Wx1 F.light Wy1", "Ry1 Rx0.ctrlisync"),
    "MP+lwsync+loads": ("", "Wx1 F.light Wy1", "Ry1 F.loads Rx0"),
    "MP+lwsyncs": ("", "Wx1 F.light Wy1", "Ry1 F.light Rx0"),
    "MP+syncs": ("", "Wx1 F.full Wy1", "Ry1 F.full Rx0"),
    "MP+sync+rs": ("", "Wx1 F.full Wy1 Wy2", "Ry2 F.full Rx0"),
    "LB": ("rmo power", "Rx1 Wy1", "Ry1 Wx1"),
    "LB+data+po": ("rmo power", "Rx1 Wy1.data", "Ry1 Wx1"),
    "LB+datas": ("", "Rx1 Wy1.data", "Ry1 Wx1.data"),
    "LB+ctrls": ("", "Rx1 Wy1.ctrl", "Ry1 Wx1.ctrl"),
    "LB+addrs": ("", "Rx1 Wy1.addr", "Ry1 Wx1.addr"),
    "LB+addrs+WW": ("rmo", "Rx1 Wy1.addr Wz1", "Rz1 Wa1.addr Wx1"),
    "LB+datas+WW": ("rmo power", "Rx1 Wy1.data Wz1", "Rz1 Wa1.data Wx1"),
    "LB+lwsyncs": ("", "Rx1 F.light Wy1", "Ry1 F.light Wx1"),
    "WRC": ("rmo power", "Wx1", "Rx1 Wy1", "Ry1 Rx0"),
    "WRC+addrs": ("power", "Wx1", "Rx1 Wy1.addr", "Ry1 Rx0.addr"),
    "WRC+lwsync+addr": ("", "Wx1", "Rx1 F.light Wy1", "Ry1 Rx0.addr"),
    "WRC+eieio+addr": ("rmo power", "Wx1", "Rx1 F.stores Wy1", "Ry1 Rx0.addr"),
    "ISA2+lwsync+addr+addr": ("", "Wx1 F.light Wy1", "Ry1 Wz1.addr", "Rz1 Rx0.addr"),
    "IRIW": ("rmo power", "Wx1", "Wy1", "Rx1 Ry0", "Ry1 Rx0"),
    "IRIW+addrs": ("power", "Wx1", "Wy1", "Rx1 Ry0.addr", "Ry1 Rx0.addr"),
    "IRIW+lwsyncs": ("power", "Wx1", "Wy1", "Rx1 F.light Ry0", "Ry1 F.light Rx0"),
    "IRIW+syncs": ("", "Wx1", "Wy1", "Rx1 F.full Ry0", "Ry1 F.full Rx0"),
    "RWC": ("tso pso rmo power", "Wx1", "Rx1 Ry0", "Wy1 Rx0"),
    "RWC+syncs": ("", "Wx1", "Rx1 F.full Ry0", "Wy1 F.full Rx0"),
    "RWC+lwsync+sync": ("power", "Wx1", "Rx1 F.light Ry0", "Wy1 F.full Rx0"),
    "W+RWC+lwsync+addr+sync": ("power", "Wx1 F.light Wz1", "Rz1 Ry0.addr", "Wy1 F.full Rx0"),
    "PPOCA": ("power rmo", "Wx1 F.full Wy1", "Ry1 Wz1.ctrl Rz1 Rx0.addr"),
    "PPOAA": ("rmo", "Wx1 F.full Wy1", "Ry1 Wz1.addr Rz1 Rx0.addr"),
    "RDW": ("", "Wx1 F.full Wy1", "Ry1 Ra0.addr Ra1 Rx0.addr", "Wa1"),
    "CoRR": ("rmo", "Wx1", "Rx1 Rx0"),
    "CoWR": ("", "Wx1 Rx0"),
    "CoRW1": ("", "Rx1 Wx1"),
    "two updates of one value": ("", "F.full Ux0:1 F.full", "F.full Ux0:1 F.full"),
    "two updates of one value, not locked": ("", "Vx0:1", "Vx0:1"),
    "SB, locked": ("", "F.full Ux0:1 F.full Ry0", "F.full Uy0:1 F.full Rx0"),
}

LAST = {
    "2+2W": ("pso rmo power", _2_2W, "Wx1 Wy2", "Wy1 Wx2"),
    "2+2W+lwsyncs": ("", _2_2W, "Wx1 F.light Wy2", "Wy1 F.light Wx2"),
    "R": ("tso pso rmo power", {"y": 2}, "Wx1 Wy1", "Wy2 Rx0"),
    "R+syncs": ("", {"y": 2}, "Wx1 F.full Wy1", "Wy2 F.full Rx0"),
    "R+lwsync+sync": ("power", {"y": 2}, "Wx1 F.light Wy1", "Wy2 F.full Rx0"),
    "S": ("pso rmo power", {"x": 2}, "Wx2 Wy1", "Ry1 Wx1"),
    "S+lwsync+data": ("", {"x": 2}, "Wx2 F.light Wy1", "Ry1 Wx1.data"),
    "CoWW": ("", {"x": 1}, "Wx1 Wx2"),
    "CoRW2": ("", {"x": 1}, "Rx1 Wx2", "Wx1"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_values(case: tuple[str, ...]) -> None:
    allowed, *threads = case
    assert {model.value for model in MACHINES if allows(model, *threads)} == set(allowed.split())


@pytest.mark.parametrize("case", LAST.values(), ids=LAST)
def test_last_values(case: tuple[str, dict[str, int], str, str]) -> None:
    allowed, last, *threads = case
    assert {model.value for model in MACHINES if allows(model, *threads, last=last)} == set(allowed.split())


ARM = {
    "SB": (True, "Wx1 Ry0", "Wy1 Rx0"),
    "SB+dmbs": (False, "Wx1 F.full Ry0", "Wy1 F.full Rx0"),
    "SB+dmb.lds": (True, "Wx1 F.loads Ry0", "Wy1 F.loads Rx0"),
    "SB+stlr-ldars": (False, "Wx1.l Ry0.a", "Wy1.l Rx0.a"),
    "SB+stlr-ldaprs": (True, "Wx1.l Ry0.q", "Wy1.l Rx0.q"),
    "MP": (True, "Wx1 Wy1", "Ry1 Rx0"),
    "MP+dmb+po": (True, "Wx1 F.full Wy1", "Ry1 Rx0"),
    "MP+po+addr": (True, "Wx1 Wy1", "Ry1 Rx0.addr"),
    "MP+dmb+addr": (False, "Wx1 F.full Wy1", "Ry1 Rx0.addr"),
    "MP+dmb+ctrl": (True, "Wx1 F.full Wy1", "Ry1 Rx0.ctrl"),
    "MP+dmb+ctrlisb": (False, "Wx1 F.full Wy1", "Ry1 Rx0.ctrlisync"),
    "MP+dmb+isb": (True, "Wx1 F.full Wy1", "Ry1 F.isb Rx0"),
    "MP+dmb.st+dmb.ld": (False, "Wx1 F.stores Wy1", "Ry1 F.loads Rx0"),
    "MP+dmb.ld+dmb.ld": (True, "Wx1 F.loads Wy1", "Ry1 F.loads Rx0"),
    "MP+stlr+ldar": (False, "Wx1 Wy1.l", "Ry1.a Rx0"),
    "MP+stlr+ldapr": (False, "Wx1 Wy1.l", "Ry1.q Rx0"),
    "MP+stlr first+ldar": (True, "Wx1.l Wy1", "Ry1.a Rx0"),
    "MP+dmb+addr-po-isb": (False, "Wx1 F.full Wy1", "Ry1 Ra0.addr F.isb Rx0", "Wa1"),
    "MP+dmb+fri-rfi-ctrlisb": (True, "Wx1 F.full Wy1", "Ry1 Wy2 Ry2 Rx0.ctrlisync"),
    "MP+dmb+data-rfi-addr": (False, "Wx1 F.full Wy1", "Ry1 Wz1.data Rz1 Rx0.addr"),
    "LB": (True, "Rx1 Wy1", "Ry1 Wx1"),
    "LB+data+po": (True, "Rx1 Wy1.data", "Ry1 Wx1"),
    "LB+datas": (False, "Rx1 Wy1.data", "Ry1 Wx1.data"),
    "LB+ctrls": (False, "Rx1 Wy1.ctrl", "Ry1 Wx1.ctrl"),
    "LB+addrs+WW": (False, "Rx1 Wy1.addr Wz1", "Rz1 Wa1.addr Wx1"),
    "LB+datas+WW": (True, "Rx1 Wy1.data Wz1", "Rz1 Wa1.data Wx1"),
    "LB+data-wsi": (False, "Rx1 Wy1.data Wy2", "Ry2 Wx1.data"),
    "LB+stlr-wsi": (False, "Rx1 Wy1.l Wy2", "Ry2 Wx1.data"),
    "LB, an update between": (False, "Vx1:2", "Rx2 Wy1.data", "Ry1 Wx1.data"),
    "LB+stlrs": (False, "Rx1 Wy1.l", "Ry1 Wx1.l"),
    "WRC": (True, "Wx1", "Rx1 Wy1", "Ry1 Rx0"),
    "WRC+addrs": (False, "Wx1", "Rx1 Wy1.addr", "Ry1 Rx0.addr"),
    "WRC+data+ctrl": (True, "Wx1", "Rx1 Wy1.data", "Ry1 Rx0.ctrl"),
    "IRIW": (True, "Wx1", "Wy1", "Rx1 Ry0", "Ry1 Rx0"),
    "IRIW+addrs": (False, "Wx1", "Wy1", "Rx1 Ry0.addr", "Ry1 Rx0.addr"),
    "IRIW+dmb.lds": (False, "Wx1", "Wy1", "Rx1 F.loads Ry0", "Ry1 F.loads Rx0"),
    "ISA2": (True, "Wx1 Wy1", "Ry1 Wz1", "Rz1 Rx0"),
    "ISA2+dmb+addr+addr": (False, "Wx1 F.full Wy1", "Ry1 Wz1.addr", "Rz1 Rx0.addr"),
    "ISA2+dmb+ctrl+addr": (False, "Wx1 F.full Wy1", "Ry1 Wz1.ctrl", "Rz1 Rx0.addr"),
    "RWC+dmb+po": (True, "Wx1", "Rx1 F.full Ry0", "Wy1 Rx0"),
    "RWC+addr+dmb": (False, "Wx1", "Rx1 Ry0.addr", "Wy1 F.full Rx0"),
    "PPOCA": (True, "Wx1 F.full Wy1", "Ry1 Wz1.ctrl Rz1 Rx0.addr"),
    "PPOAA": (False, "Wx1 F.full Wy1", "Ry1 Wz1.addr Rz1 Rx0.addr"),
    "RDW": (False, "Wx1 F.full Wy1", "Ry1 Ra0.addr Ra1 Rx0.addr", "Wa1"),
    "two updates of one value": (False, "Vx0:1", "Vx0:1"),
    "MP, an update between": (True, "Wx1 F.full Wy1", "Vy1:2 Rx0"),
    "MP, an update that acquires": (False, "Wx1 F.full Wy1", "Vy1:2.a Rx0"),
    "MP, an update that releases": (False, "Wx1 Vy0:1.l", "Ry1.a Rx0"),
    "MP, reading one's own update": (False, "Wx1 F.full Wy1", "Vy1:2 Ry2.a Rx0"),
    "MP, reading one's own update by ldapr": (False, "Wx1 F.full Wy1", "Vy1:2 Ry2.q Rx0"),
    "MP, reading one's own update, plain": (True, "Wx1 F.full Wy1", "Vy1:2 Ry2 Rx0"),
    "RSW": (True, "Wx1 F.full Wy1", "Ry1 Ra0.addr Ra0 Rx0.addr"),
    "CoRR": (False, "Wx1", "Rx1 Rx0"),
    "CoWR": (False, "Wx1 Rx0"),
    "CoRW1": (False, "Rx1 Wx1"),
}
"""Published for ARMv8: Pulte and others, *Simplifying ARM Concurrency*, POPL 2018; where multi-copy atomicity
makes no difference, Maranget, Sarkar, Sewell, *A Tutorial Introduction to the ARM and POWER Relaxed Memory
Models*, 2012.
"""

ARM_LAST = {
    "2+2W": (True, _2_2W, "Wx1 Wy2", "Wy1 Wx2"),
    "2+2W+dmb.sts": (False, _2_2W, "Wx1 F.stores Wy2", "Wy1 F.stores Wx2"),
    "2+2W+stlrs": (False, _2_2W, "Wx1 Wy2.l", "Wy1 Wx2.l"),
    "2+2W+stlr+po": (True, _2_2W, "Wx1 Wy2.l", "Wy1 Wx2"),
    "R": (True, {"y": 2}, "Wx1 Wy1", "Wy2 Rx0"),
    "R+dmb.st+dmb": (False, {"y": 2}, "Wx1 F.stores Wy1", "Wy2 F.full Rx0"),
    "R+dmbs": (False, {"y": 2}, "Wx1 F.full Wy1", "Wy2 F.full Rx0"),
    "S": (True, {"x": 2}, "Wx2 Wy1", "Ry1 Wx1"),
    "S+dmb.st+data": (False, {"x": 2}, "Wx2 F.stores Wy1", "Ry1 Wx1.data"),
    "S+dmb.st+ctrl": (False, {"x": 2}, "Wx2 F.stores Wy1", "Ry1 Wx1.ctrl"),
    "S+dmb.st+po": (True, {"x": 2}, "Wx2 F.stores Wy1", "Ry1 Wx1"),
    "CoWW": (False, {"x": 1}, "Wx1 Wx2"),
    "CoRW2": (False, {"x": 1}, "Rx1 Wx2", "Wx1"),
}


@pytest.mark.parametrize("case", ARM.values(), ids=ARM)
def test_values_on_arm(case: tuple[bool, ...]) -> None:
    is_allowed, *threads = case
    assert allows(MemoryModel.ARMV8, *map(str, threads)) == is_allowed


@pytest.mark.parametrize("case", ARM_LAST.values(), ids=ARM_LAST)
def test_last_values_on_arm(case: tuple[bool, dict[str, int], str, str]) -> None:
    is_allowed, last, *threads = case
    assert allows(MemoryModel.ARMV8, *threads, last=last) == is_allowed
