"""Terms as C: examples to read, and a comparison with what a C compiler makes of the text."""

import ctypes
import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.floats import encode_float
from sley.logic.operators import Op, to_signed
from sley.logic.printer import LONGEST, to_c
from sley.logic.sorts import BOOL, F32, F64, I8, I32, I64, BitVecSort, BoolSort
from sley.logic.terms import Term, Terms
from tests.unit.logic.random_terms import FLOATS, Generator, any_sort, make, random_value

T = Terms()
X, Y, L, C, U = T.var("x", I32), T.var("y", I32), T.var("l", I64), T.var("c", I8), T.var("u", I32)
P, Q, F, D = T.var("p", BOOL), T.var("q", BOOL), T.var("f", F32), T.var("d", F64)


def k(value: int, width: int = 32) -> Term:
    return T.bv(value, width)


EXAMPLES = {
    "x == 3": T.eq(X, k(3)),
    "x != -1": T.ne(X, k(-1)),
    "u != UINT_MAX": T.ne(U, k(-1)),
    "x < 4": T.sle(X, k(3)),
    "x >= 4": T.slt(k(3), X),
    "x >= y": T.sle(Y, X),
    "x < 5u": T.ult(X, k(5)),
    "u < 5": T.ult(U, k(5)),
    "(unsigned)x < y": T.ult(X, Y),
    "u < y": T.ult(U, Y),
    "x < (int)u": T.slt(X, U),
    "x != INT_MIN": T.ne(X, k(1 << 31)),
    "l < 5ull": T.ult(L, k(5, 64)),
    "x - 3": T.sub(X, k(3)),
    "x - (y - u)": T.sub(X, T.sub(Y, U)),
    "x * (y + 1)": T.mul(X, T.add(Y, k(1))),
    "u + x * y": T.add(T.mul(X, Y), U),
    "(x & 1) == 0": T.eq(T.apply(Op.BVAND, X, k(1)), k(0)),
    "u | x & y": T.apply(Op.BVOR, T.apply(Op.BVAND, X, Y), U),
    "-x": T.neg(X),
    "~(x + y)": T.bvnot(T.add(X, Y)),
    "x / y": T.apply(Op.BVSDIV, X, Y),
    "(unsigned)x / y": T.apply(Op.BVUDIV, X, Y),
    "u % 8": T.apply(Op.BVUREM, U, k(8)),
    "(unsigned)x >> 2": T.apply(Op.BVLSHR, X, k(2)),
    "x >> 2": T.apply(Op.BVASHR, X, k(2)),
    "1ll << l": T.apply(Op.BVSHL, k(1, 64), L),
    "(signed char)(c + 1)": T.add(C, k(1, 8)),
    "c + 1": T.add(T.sign_extend(C, 24), k(1)),
    "x + (unsigned char)c": T.add(T.zero_extend(C, 24), X),
    "l + (long long)x": T.add(T.sign_extend(X, 32), L),
    "x & 0xff": T.extract(X, 7, 0),
    "(x >> 8) & 0xff": T.extract(X, 15, 8),
    "!p": T.not_(P),
    "p && q": T.and_(P, Q),
    "(p || q) && x == 0": T.and_(T.or_(P, Q), T.eq(X, k(0))),
    "p == q": T.eq(P, Q),
    "p ? x : y": T.ite(P, X, Y),
    "(p ? x : y) + 1": T.add(T.ite(P, X, Y), k(1)),
    "y + (x == 0)": T.add(T.bool_to_bv(T.eq(X, k(0)), 32), Y),
    "overflows(x + y)": T.apply(Op.SADDO, X, Y),
    "true": T.true,
    "f < 1.5f": T.apply(Op.FP_LT, F, T.const(encode_float(1.5, F32), F32)),
    "!(d < -0.0)": T.not_(T.apply(Op.FP_LT, D, T.const(encode_float(-0.0, F64), F64))),
    "(double)f + d": T.apply(Op.FP_ADD, T.make(Op.FP_TO_FP, (F,), F64), D),
    "(int)f": T.make(Op.FP_TO_SBV, (F,), I32),
    "(float)(unsigned)x": T.make(Op.UBV_TO_FP, (X,), F32),
    "d == INFINITY": T.make(Op.FP_EQ, (D, T.const(encode_float(float("inf"), F64), F64))),
    "-d": T.make(Op.FP_NEG, (D,)),
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_example(text: str) -> None:
    assert to_c(T, EXAMPLES[text], unsigned={U}) == text


def test_names_of_the_caller() -> None:
    names = {X: "count", Y: "*p", L: "a + b", k(77): "&lock"}
    assert to_c(T, T.eq(X, k(77)), names) == "count == &lock"
    assert to_c(T, T.mul(X, Y), names) == "count * *p"
    assert to_c(T, T.mul(L, T.var("m", I64)), names) == "(a + b) * m"
    assert to_c(T, T.not_(T.eq(X, Y)), {T.eq(X, Y): "done"}) == "!done"


def test_shared_terms_do_not_explode() -> None:
    terms = Terms()
    term = terms.var("x", I32)
    for i in range(60):
        term = terms.mul(terms.add(term, terms.var(f"v{i}", I32)), term)
    text = to_c(terms, term)
    assert "..." in text
    assert len(text) <= 3 * LONGEST


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_everything_can_be_printed(seed: int) -> None:
    generator = Generator(random.Random(seed), floats=FLOATS, widths=(1, 3, 8, 32, 64))
    terms = Terms()
    text = to_c(terms, make(terms, generator.tree(any_sort(generator), 4)))
    assert text.count("(") == text.count(")")


# --- against a compiler ------------------------------------------------------------------------------------

_C_TYPES = {8: "signed char", 16: "short", 32: "int", 64: "long long"}


def _is_plain_c(terms: Terms, term: Term) -> bool:
    """Standard widths only, and nothing that is undefined in C or needs our own functions."""
    excluded = (Op.SADDO, Op.SSUBO, Op.SMULO, Op.BVUDIV, Op.BVUREM, Op.BVSDIV, Op.BVSREM)
    shifts = (Op.BVSHL, Op.BVLSHR, Op.BVASHR)
    for t in terms.walk((term,)):
        sort = terms.sort(t)
        if isinstance(sort, BitVecSort) and sort.width not in _C_TYPES:
            return False
        if terms.op(t) in excluded or (terms.op(t) in shifts and not terms.is_const(terms.args(t)[1])):
            return False
    return True


def _random_c_term(rng: random.Random) -> tuple[Terms, Term]:
    while True:
        terms = Terms()
        generator = Generator(rng, widths=tuple(_C_TYPES))
        term = make(terms, generator.tree(any_sort(generator), rng.randrange(2, 5)))
        if terms.has_variables(term) and not terms.is_var(term) and _is_plain_c(terms, term):
            return terms, term


def _function(number: int, terms: Terms, term: Term, unsigned: list[Term]) -> str:
    names, parameters = {}, []
    for i, variable in enumerate(terms.variables(term)):
        names[variable] = f"v{i}"
        sort = terms.sort(variable)
        c_type = "_Bool" if isinstance(sort, BoolSort) else _C_TYPES[terms.width(variable)]
        if variable in unsigned:
            c_type = c_type.replace("signed char", "char")
            c_type = f"unsigned {c_type}"
        parameters.append(f"{c_type} v{i}")
    text = to_c(terms, term, names, unsigned=unsigned)
    return f"unsigned long long f{number}({', '.join(parameters)}) {{ return {text}; }}\n"


def test_a_compiler_reads_it_the_same_way(tmp_path: Path) -> None:
    rng = random.Random(7)
    cases = []
    code = ["#include <limits.h>\n#include <stdbool.h>\n"]
    for number in range(400):
        terms, term = _random_c_term(rng)
        integers = [v for v in terms.variables(term) if isinstance(terms.sort(v), BitVecSort)]
        unsigned = [v for v in integers if rng.random() < 0.4]
        cases.append((terms, term))
        code.append(_function(number, terms, term, unsigned))
    (tmp_path / "terms.c").write_text("".join(code))
    library = tmp_path / "terms.so"
    command = ["gcc", "-w", "-O0", "-fwrapv", "-shared", "-fPIC", "-o", str(library), "terms.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=240)
    loaded = ctypes.CDLL(str(library))
    for number, (terms, term) in enumerate(cases):
        function = getattr(loaded, f"f{number}")
        function.restype = ctypes.c_uint64
        width = 1 if terms.is_boolean(term) else terms.width(term)
        for _ in range(8):
            values = {v: random_value(rng, terms.sort(v)) for v in terms.variables(term)}
            arguments = [_argument(terms, v, values[v]) for v in values]
            found = function(*arguments) & ((1 << width) - 1)
            assert found == terms.evaluate(term, values), code[number + 1]


def _argument(terms: Terms, variable: Term, value: object) -> ctypes.c_int64:
    assert isinstance(value, int)
    is_boolean = terms.is_boolean(variable)
    return ctypes.c_int64(value if is_boolean else to_signed(value, terms.width(variable)))
