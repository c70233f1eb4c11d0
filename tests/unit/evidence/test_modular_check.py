"""The checker of modular proofs: it refuses forged ones, and those of an engine with a fault."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.modular.engine import modular
from sley.engines.modular.options import ModularOptions
from sley.engines.modular.views import Obligation, SystemViews
from sley.evidence.modular.check import check_modular
from sley.evidence.modular.proof import ModularProof
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Claimed
from sley.logic.terms import Term
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.groups import ThreadGroup
from sley.semantics.templates import MAIN, Template, TemplateSystem
from tests.limits import AMPLE
from tests.unit.engines.test_modular import LOCKED, MANY, SPINNING, TWO, program_of

UNLOCKED = LOCKED.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", "")
TWICE = LOCKED.replace("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);")
CHANGED_LATER = SPINNING.replace("flag = 0;", "flag = 0; x = 2;")
PAIR = """
void *writer(void *unused) { y = 7; flag = 1; return 0; }
void *reader(void *unused) { if (flag) assert(y == 7); return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, writer, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, reader, 0);
    return 0;
}
"""
READERS = """
void *worker(void *unused)
{
    atomic_fetch_add(&flag, 1);
    assert(flag > 0);
    atomic_fetch_sub(&flag, 1);
    return 0;
}
"""
NUMBERED = """
int table[8];
void *worker(void *me) { table[(long)me & 7] = 1; return 0; }
int main(void)
{
    pthread_t t;
    for (long i = 0; i < 8; i++)
        pthread_create(&t, 0, worker, (void *)i);
    return 0;
}
"""

Task = tuple[Program, frozenset[Property]]


def claimed(task: Task) -> ModularProof:
    verdict, _ = modular(*task, ModularOptions(), Budget(AMPLE))
    assert isinstance(verdict, Claimed)
    return verdict.proof


def assert_refused(task: Task, proof: ModularProof, reason: str | None = None) -> None:
    with pytest.raises(RefusedProofError, match=reason):
        check_modular(*task, proof, Budget(AMPLE))


# --- forged proofs ------------------------------------------------------------------------------------


def test_too_weak_or_too_strong(tmp_path: Path) -> None:
    task = program_of(tmp_path, SPINNING + MANY, "reach", "race")
    proof = claimed(task)
    ((view, conjuncts),) = proof.invariants.items()
    t = task[0].terms
    forged: list[tuple[Term, ...]] = [
        (),
        (*conjuncts, t.false),
        (t.false,),
        tuple(t.not_(conjunct) for conjunct in conjuncts),
    ]
    for one in forged:
        assert_refused(task, replace(proof, invariants={view: one}))
    assert_refused(task, replace(proof, watched=()))
    check_modular(*task, proof, Budget(AMPLE))


def test_not_kept_by_those_outside(tmp_path: Path) -> None:
    task = program_of(tmp_path, UNLOCKED + MANY, "race")
    system = TemplateSystem(task[0], copies=3)
    (worker,) = system.workers
    t, at = task[0].terms, system.at(worker.position)
    stops = [t.eq(at, system.place(place)) for place in (-1, -2, *system.stops(worker))]
    nowhere_else = ModularProof(1, (), {(worker.position,): (t.or_(*stops),)})
    assert_refused(task, nowhere_else, "data race")
    absent = ModularProof(1, (), {(worker.position,): (stops[0],)})
    assert_refused(task, absent, "not inductive")


def test_other_views(tmp_path: Path) -> None:
    task = program_of(tmp_path, PAIR, "reach")
    proof = claimed(task)
    assert len(proof.invariants) == 2
    for view in proof.invariants:
        rest = {other: found for other, found in proof.invariants.items() if other != view}
        assert_refused(task, replace(proof, invariants=rest), "other views")
    assert_refused(task, replace(proof, invariants={}), "other views")
    assert_refused(task, replace(proof, size=2), "other views")
    assert_refused(task, replace(proof, size=0))


def test_variables_that_are_not_in_view(tmp_path: Path) -> None:
    task = program_of(tmp_path, SPINNING + MANY, "reach", "race")
    proof = claimed(task)
    ((view, conjuncts),) = proof.invariants.items()
    t = task[0].terms
    foreign = t.var("?1.24.0:i32", t.sort(t.true))
    assert_refused(task, replace(proof, invariants={view: (*conjuncts, foreign)}), "not in its view")
    system = TemplateSystem(task[0])
    own = system.own(system.workers[0].position)[0]
    assert_refused(task, replace(proof, watched=(*proof.watched, own)), "watched")


def test_how_many_threads_there_are(tmp_path: Path) -> None:
    task = program_of(tmp_path, SPINNING + MANY, "reach")
    proof = claimed(task)
    sites = [place for place in task[0].functions["main"].locations if place not in (0,)]
    for site in sites:
        assert_refused(task, replace(proof, singles=(site,)), "may exist twice")
    assert_refused(task, replace(proof, is_parametric=False), "number of threads")


def test_two_in_view(tmp_path: Path) -> None:
    task = program_of(tmp_path, NUMBERED, "race")
    proof = claimed(task)
    assert proof.size == 2
    check_modular(*task, proof, Budget(AMPLE))
    ((view, conjuncts),) = proof.invariants.items()
    system = TemplateSystem(task[0], singles=(), copies=4, watched=proof.watched)
    other = set(system.own(system.position(system.template(view[0]), 1)))
    of_one = tuple(c for c in conjuncts if not other & set(task[0].terms.variables(c)))
    assert_refused(task, replace(proof, invariants={view: of_one}), "data race")
    assert_refused(task, replace(proof, invariants={view[:1]: of_one}, size=1), "data race")


def test_the_fallback_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = program_of(tmp_path, SPINNING + MANY, "reach")
    proof = claimed(task)
    assert check_modular(*task, proof, Budget(AMPLE)).skipped == ()
    monkeypatch.setattr("sley.evidence.modular.check.FIRST_SECONDS", 0.0)
    checked = check_modular(*task, proof, Budget(AMPLE))
    assert checked.solvers == ("z3", "Bitwuzla")
    assert "too hard for z3" in checked.skipped[0]


# --- numbers of threads ---------------------------------------------------------------------------------


def test_numbers_of_threads(tmp_path: Path) -> None:
    task = program_of(tmp_path, READERS + MANY, "reach")
    proof = claimed(task)
    ((group,), ((view, conjuncts),)) = proof.counted, proof.invariants.items()
    check_modular(*task, proof, Budget(AMPLE))
    fewer = replace(group, places=group.places[:1])
    assert_refused(task, replace(proof, counted=(fewer,)), "not inductive")
    absent = replace(group, places=((view[0], -1),))
    assert_refused(task, replace(proof, counted=(absent,)), "not many")
    of_main = replace(group, places=((MAIN, group.places[0][1]),))
    assert_refused(task, replace(proof, counted=(of_main,)), "not many")
    assert_refused(task, replace(proof, counted=()), "not in its view")
    assert conjuncts


def test_a_group_with_one_member_at_most(tmp_path: Path) -> None:
    """What two threads cannot do at once, one at most does: there would be somebody else."""
    task = program_of(tmp_path, SPINNING + MANY, "reach")
    system = TemplateSystem(task[0], copies=3)
    proof = claimed(task)
    ((view, conjuncts),) = proof.invariants.items()
    inside = [p for p in system.stops(system.template(view[0])) if p not in (-1, -2)]
    t = task[0].terms
    kept = 0
    for place in inside:
        counted = (ThreadGroup(((view[0], place),)),)
        with_group = TemplateSystem(task[0], copies=4, watched=proof.watched, counted=counted)
        alone = t.ule(with_group.number(counted[0]), t.bv(1, 32))
        forged = replace(proof, counted=counted, invariants={view: (*conjuncts, alone)})
        try:
            check_modular(*task, forged, Budget(AMPLE))
        except RefusedProofError:
            continue
        kept += 1
    assert 0 < kept < len(inside), "where the flag is waited for there may be many"


# --- faults of the engine -----------------------------------------------------------------------------

Fault = Callable[[pytest.MonkeyPatch], None]


def without(method: str) -> Fault:
    """An engine that forgets one kind of obligation."""
    return lambda patch: patch.setattr(SystemViews, method, lambda *_: ())


def only_in_view(patch: pytest.MonkeyPatch) -> None:
    """Nobody outside the view steps."""
    right = SystemViews._candidates

    def candidates(
        self: SystemViews, template: Template, instances: Sequence[int], taken: Sequence[int]
    ) -> list[int]:
        return [p for p in right(self, template, instances, taken) if p in instances or p in taken]

    patch.setattr(SystemViews, "_candidates", candidates)


def all_guesses_kept(patch: pytest.MonkeyPatch) -> None:
    """What steps make false is not left out."""
    patch.setattr("sley.engines.modular.certificate._Obligation.broken", lambda *_: [])


def created_outside(patch: pytest.MonkeyPatch) -> None:
    """A thread that is created is never in view."""
    right = SystemViews.obligations

    def obligations(self: SystemViews, properties: frozenset[Property]) -> Iterator[Obligation]:
        entered = {self.system.at(p) for p in range(MAIN + 1, self.system.size)}
        for obligation in right(self, properties):
            absent = {v for v in entered if self.terms.eq(v, self.system.place(-1)) in obligation.constraints}
            seen = {self.system.at(p) for p in obligation.conclusion or ()}
            if not absent & seen:
                yield obligation

    patch.setattr(SystemViews, "obligations", obligations)


@pytest.mark.parametrize(
    ("fault", "text", "group"),
    [
        (only_in_view, UNLOCKED + MANY, "reach"),
        (only_in_view, CHANGED_LATER + MANY, "reach"),
        (created_outside, CHANGED_LATER + TWO, "reach"),
        (all_guesses_kept, UNLOCKED + MANY, "reach"),
        (without("_initial"), CHANGED_LATER + MANY, "reach"),
        (without("_steps"), UNLOCKED + TWO, "reach"),
        (without("_races"), UNLOCKED + MANY, "race"),
        (without("_races"), UNLOCKED + TWO, "race"),
    ],
)
def test_faulty_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, text: str, group: str
) -> None:
    """Whatever runs might say against its guesses."""
    task = program_of(tmp_path, text, group)
    with monkeypatch.context() as patch:
        patch.setattr("sley.engines.modular.engine.unrefuted", lambda _code, guess, _budget: guess)
        fault(patch)
        proof = claimed(task)
    assert_refused(task, proof)


@pytest.mark.parametrize("text", [TWICE + MANY, LOCKED.replace("pthread_mutex_unlock(&m);", "") + MANY])
def test_deadlocks_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    task = program_of(tmp_path, text, "deadlock")
    with monkeypatch.context() as patch:
        patch.setattr("sley.engines.modular.views.Waits.impossible", lambda _: ())
        proof = claimed(task)
    assert_refused(task, proof, "deadlock")


def nested(*orders: tuple[str, str]) -> str:
    """Workers that take the locks `m` and `n`, each in one of two orders."""
    lines: list[str] = []
    for number, (first, second) in enumerate(orders):
        taken = f"pthread_mutex_lock(&{first}); pthread_mutex_lock(&{second});"
        given = f"pthread_mutex_unlock(&{second}); pthread_mutex_unlock(&{first});"
        lines.append(f"void *worker{number}(void *unused) {{ {taken} x = !x; {given} return 0; }}")
    created = [f"pthread_create(&t, 0, worker{number}, 0);" for number in range(len(orders))]
    lines.append("int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) {")
    return "\n".join([*lines, *created, "} return 0; }"])


def test_locks_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = program_of(tmp_path, nested(("m", "n"), ("m", "n")), "deadlock")
    proof = claimed(task)
    check_modular(*task, proof, Budget(AMPLE))
    ranks = "sley.evidence.modular.check.lock_ranks"
    monkeypatch.setattr(ranks, lambda _, waits: dict.fromkeys(waits.values(), 0))
    assert_refused(task, proof, "deadlock")


def test_locks_in_both_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = program_of(tmp_path, nested(("m", "n"), ("n", "m")), "deadlock")
    with monkeypatch.context() as patch:
        patch.setattr("sley.engines.modular.views.Waits.impossible", lambda _: ())
        proof = claimed(task)
    assert_refused(task, proof, "deadlock")
