"""The axioms of RC11 on classic litmus tests, with the verdicts that are published for them."""

import pytest

from tests.unit.semantics.litmus import allows

Y1_LAST = {"y": 1}

ALLOWED = {
    "SB, relaxed": ("Wx1 Ry0", "Wy1 Rx0"),
    "SB, release and acquire": ("Wx1.rel Ry0.acq", "Wy1.rel Rx0.acq"),
    "SB, one fence": ("Wx1 F.sc Ry0", "Wy1 Rx0"),
    "SB, acq_rel fences": ("Wx1 F.ar Ry0", "Wy1 F.ar Rx0"),
    "SB, seq_cst writes": ("Wx1.sc Ry0.acq", "Wy1.sc Rx0.acq"),
    "MP, relaxed": ("Wx1 Wy1", "Ry1 Rx0"),
    "MP, release only": ("Wx1 Wy1.rel", "Ry1 Rx0"),
    "MP, acquire only": ("Wx1 Wy1", "Ry1.acq Rx0"),
    "MP, one fence": ("Wx1 F.rel Wy1", "Ry1 Rx0"),
    "MP, fence after the write": ("Wx1 Wy1 F.rel", "Ry1.acq Rx0"),
    "MP, overwritten by another thread": ("Wx1 Wy1.rel", "Ry1 Wy2", "Ry2.acq Rx0"),
    "WRC, relaxed": ("Wx1", "Rx1 Wy1", "Ry1 Rx0"),
    "ISA2, relaxed": ("Wx1 Wy1", "Ry1 Wz1", "Rz1 Rx0"),
    "ISA2, last link relaxed": ("Wx1 Wy1.rel", "Ry1.acq Wz1.rel", "Rz1 Rx0"),
    "RWC, release and acquire": ("Wx1.rel", "Rx1.acq Ry0.acq", "Wy1.rel Rx0.acq"),
    "IRIW, relaxed": ("Wx1", "Wy1", "Rx1 Ry0", "Ry1 Rx0"),
    "IRIW, release and acquire": ("Wx1.rel", "Wy1.rel", "Rx1.acq Ry0.acq", "Ry1.acq Rx0.acq"),
    "IRIW-acq-sc (figure 1 of the paper)": ("Wx1.sc", "Wy1.sc", "Rx1.acq Ry0.sc", "Ry1.acq Rx0.sc"),
    "W+RWC (section 2 of the paper)": ("Wx1 Wz1.rel", "Rz1.acq Ry0.sc", "Wy1.sc Rx0.sc"),
    "Z6.U (figure 1 of the paper)": ("Wx1.sc Wy1.rel", "Uy1:2.sc Ry3", "Wy3.sc Rx0.sc"),
}

FORBIDDEN = {
    "SB, seq_cst": ("Wx1.sc Ry0.sc", "Wy1.sc Rx0.sc"),
    "SB, fences": ("Wx1 F.sc Ry0", "Wy1 F.sc Rx0"),
    "SB, a fence and seq_cst": ("Wx1 F.sc Ry0", "Wy1.sc Rx0.sc"),
    "MP, release and acquire": ("Wx1 Wy1.rel", "Ry1.acq Rx0"),
    "MP, plain data": ("Wx1.na Wy1.rel", "Ry1.acq Rx0.na"),
    "MP, fences": ("Wx1 F.rel Wy1", "Ry1 F.acq Rx0"),
    "MP, fence and acquire": ("Wx1 F.rel Wy1", "Ry1.acq Rx0"),
    "MP, seq_cst": ("Wx1.sc Wy1.sc", "Ry1.sc Rx0.sc"),
    "MP, release sequence by an update": ("Wx1 Wy1.rel", "Uy1:2.rlx", "Ry2.acq Rx0"),
    "MP, release sequence in the thread": ("Wx1 Wy1.rel Wy2", "Ry2.acq Rx0"),
    "LB, relaxed": ("Rx1 Wy1", "Ry1 Wx1"),
    "LB, seq_cst": ("Rx1.sc Wy1.sc", "Ry1.sc Wx1.sc"),
    "WRC, the second link": ("Wx1", "Rx1 Wy1.rel", "Ry1.acq Rx0"),
    "ISA2, release and acquire": ("Wx1 Wy1.rel", "Ry1.acq Wz1.rel", "Rz1.acq Rx0"),
    "RWC, seq_cst": ("Wx1.sc", "Rx1.sc Ry0.sc", "Wy1.sc Rx0.sc"),
    "RWC, fences": ("Wx1", "Rx1 F.sc Ry0", "Wy1 F.sc Rx0"),
    "IRIW, seq_cst": ("Wx1.sc", "Wy1.sc", "Rx1.sc Ry0.sc", "Ry1.sc Rx0.sc"),
    "IRIW, fences": ("Wx1", "Wy1", "Rx1 F.sc Ry0", "Ry1 F.sc Rx0"),
    "CoRR": ("Wx1", "Rx1 Rx0"),
    "CoWR": ("Wx1 Rx0",),
    "CoWR, overwritten": ("Wx1 Wx2", "Rx2 Rx1"),
    "CoRW": ("Rx1 Wx1",),
    "CoRR, two readers": ("Wx1", "Wx2", "Rx1 Rx2", "Rx2 Rx1"),
    "two updates of one value": ("Ux0:1", "Ux0:1"),
}


@pytest.mark.parametrize("threads", ALLOWED.values(), ids=ALLOWED)
def test_allowed(threads: tuple[str, ...]) -> None:
    assert allows(*threads)


@pytest.mark.parametrize("threads", FORBIDDEN.values(), ids=FORBIDDEN)
def test_forbidden(threads: tuple[str, ...]) -> None:
    assert not allows(*threads)


@pytest.mark.parametrize(
    ("order", "is_allowed"), [("rlx", True), ("ra", True), ("sc", False), ("fence", False)]
)
def test_r(order: str, is_allowed: bool) -> None:
    threads = {
        "rlx": ("Wx1 Wy1", "Wy2 Rx0"),
        "ra": ("Wx1.rel Wy1.rel", "Wy2.rel Rx0.acq"),
        "sc": ("Wx1.sc Wy1.sc", "Wy2.sc Rx0.sc"),
        "fence": ("Wx1 F.sc Wy1", "Wy2 F.sc Rx0"),
    }[order]
    assert allows(*threads, last={"y": 2}) == is_allowed


@pytest.mark.parametrize(
    ("threads", "is_allowed"),
    [
        (("Wx2 Wy1", "Ry1 Wx1"), True),
        (("Wx2 Wy1.rel", "Ry1 Wx1"), True),
        (("Wx2 Wy1.rel", "Ry1.acq Wx1"), False),
        (("Wx2 F.rel Wy1", "Ry1 F.acq Wx1"), False),
    ],
)
def test_s(threads: tuple[str, ...], is_allowed: bool) -> None:
    assert allows(*threads, last={"x": 2}) == is_allowed


@pytest.mark.parametrize(
    ("threads", "is_allowed"),
    [
        (("Wx1 Wy2", "Wy1 Wx2"), True),
        (("Wx1.rel Wy2.rel", "Wy1.rel Wx2.rel"), True),
        (("Wx1.sc Wy2.sc", "Wy1.sc Wx2.sc"), False),
        (("Wx1 F.sc Wy2", "Wy1 F.sc Wx2"), False),
    ],
)
def test_two_plus_two_writes(threads: tuple[str, ...], is_allowed: bool) -> None:
    assert allows(*threads, last={"x": 1, "y": 1}) == is_allowed
