"""Runs take away what is false in one of their states, and nothing else."""

from pathlib import Path

from sley.base.budget import Budget
from sley.engines.modular.candidates import candidates
from sley.engines.modular.sieve import unrefuted
from sley.engines.modular.views import SystemViews
from sley.evidence.modular.proof import ModularProof
from sley.program.properties import Property
from sley.semantics.roles import CellRole
from sley.semantics.templates import ABSENT_AT, EXITED_AT, MAIN, TemplateSystem
from tests.fuzz.laws import loaded
from tests.limits import AMPLE

TEXT = """
#include <pthread.h>
int x;
void *work(void *p) { x = x + 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return x;
}
"""


def _views(tmp_path: Path) -> SystemViews:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    program = loaded(path, frozenset({Property.RACE}))
    return SystemViews(TemplateSystem(program, copies=3), 1)


def test_only_what_is_false_somewhere_goes(tmp_path: Path) -> None:
    views = _views(tmp_path)
    t, system = views.terms, views.system
    x = next(v for v in system.shared if isinstance(t.symbol(v), CellRole))
    one, two = (t.const(number, t.sort(x)) for number in (1, 2))
    is_small, is_zero = t.ule(x, one), t.ult(x, one)
    guess = ModularProof(
        1, tuple(s.site or 0 for s in system.singles), {(1,): (is_small, is_zero, t.ne(x, two))}
    )
    left = unrefuted(system.code, guess, Budget(AMPLE))
    assert left.invariants == {(1,): (is_small, t.ne(x, two))}


def test_who_exists_while_main_is_somewhere(tmp_path: Path) -> None:
    """Before its creation a thread is absent, after it was joined it has ended."""
    views = _views(tmp_path)
    t, system = views.terms, views.system
    (found,) = candidates(views).values()
    entry = system.program.functions["main"].entry
    last = system.stops(system.templates[MAIN])[-1]
    for place, phase in ((entry, ABSENT_AT), (last, EXITED_AT)):
        at = t.ne(system.at(MAIN), system.place(place))
        assert t.or_(at, t.eq(system.at(1), system.place(phase))) in found
