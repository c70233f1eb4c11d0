"""Proofs by symmetric predicate abstraction that are refused: forged ones, and those of a faulty engine."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.engines.symmetry.abstraction import Abstraction
from sley.engines.symmetry.engine import existing_threads, symmetry
from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.options import SymmetryOptions
from sley.engines.symmetry.oracle import SolverOracle
from sley.engines.symmetry.views import ViewSet as EngineViews
from sley.engines.symmetry.views import saturate
from sley.evidence.proof import RefusedProofError
from sley.evidence.symmetric.boolean_program import BooleanProgram, Clause, Literal, Statement
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.closure import check_argument
from sley.evidence.symmetric.proof import (
    ClosedViews,
    Cube,
    Predicate,
    Reachable,
    SymmetricProof,
)
from sley.evidence.symmetric.semantics import Semantics
from sley.evidence.verdict import Claimed
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.semantics.templates import TemplateSystem
from tests.limits import AMPLE
from tests.unit.engines.test_symmetry import (
    COUNTER,
    LAST_WRITER,
    OWNED_BY_ONE,
    RACY,
    REACH,
    SHARED_BY_ALL,
    program,
)
from tests.unit.evidence.symmetric.interpreter import random_program

TWO_WORKERS = """
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(s == 2);
}
"""

TWICE = """
int s = 0;
void *worker(void *unused) {
    __atomic_fetch_add(&s, 1, 5);
    assert(s < 2);
    return 0;
}
"""


def proof_of(made: Program, properties: frozenset[Property] = REACH, **options: Any) -> SymmetricProof:
    verdict, _ = symmetry(made, properties, SymmetryOptions(**options), Budget(AMPLE))
    assert isinstance(verdict, Claimed)
    return verdict.proof


def refuses(made: Program, proof: SymmetricProof) -> bool:
    try:
        check_symmetric(made, REACH, proof, Budget(AMPLE))
    except RefusedProofError:
        return True
    return False


def without(items: tuple[Any, ...], index: int) -> tuple[Any, ...]:
    return (*items[:index], *items[index + 1 :])


def with_statement(
    proof: SymmetricProof, template: int, index: int, change: Callable[[Statement], Statement]
) -> SymmetricProof:
    templates = list(proof.program.templates)
    statements = list(templates[template].statements)
    statements[index] = change(statements[index])
    templates[template] = replace(templates[template], statements=tuple(statements))
    return replace(proof, program=replace(proof.program, templates=tuple(templates)))


# --- forged proofs ----------------------------------------------------------------------------------


def test_a_proof_without_a_view_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    assert not refuses(made, proof)
    assert isinstance(proof.argument, ClosedViews)
    size, views = proof.argument.size, proof.argument.views
    parts = [ClosedViews(size, without(views, i)) for i in range(0, len(views), 25)]
    assert all(refuses(made, replace(proof, argument=part)) for part in parts)


def test_a_missing_configuration_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER, TWO_WORKERS)
    proof = proof_of(made)
    assert isinstance(proof.argument, Reachable)
    assert not refuses(made, proof)
    found = proof.argument.configurations
    for index in range(0, len(found), 15):
        assert refuses(made, replace(proof, argument=Reachable(without(found, index))))


def test_nothing_is_no_argument(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    for argument in (ClosedViews(1, ()), Reachable(())):
        assert refuses(made, replace(proof, argument=argument))


def test_missing_clauses_are_noticed(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    templates = tuple(
        replace(t, statements=tuple(replace(s, clauses=()) for s in t.statements))
        for t in proof.program.templates
    )
    assert refuses(made, replace(proof, program=replace(proof.program, templates=templates)))


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        (Clause(()), "does not follow"),
        (Clause((), ("worker",)), "does not follow"),
        (Clause((), ("nobody",)), "unknown template"),
        (Clause((Literal("n", "b0", is_primed=True),)), "new thread"),
        (Clause((Literal("", "b99"),)), "means nothing"),
        (Clause((), ("worker",) * 3), "too many threads"),
    ],
)
def test_a_clause_that_does_not_follow_is_refused(clause: Clause, reason: str, tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    forged = with_statement(proof, 1, 0, lambda s: replace(s, clauses=(*s.clauses, clause)))
    with pytest.raises(RefusedProofError, match=reason):
        check_symmetric(made, REACH, forged, Budget(AMPLE))


def test_another_boolean_program_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    main, worker = proof.program.templates
    forged: list[BooleanProgram] = [
        replace(proof.program, errors=()),
        replace(
            proof.program,
            initial=(
                Clause((Literal("", proof.program.shared[0], is_positive=False),)),
                Clause((Literal("", proof.program.shared[0]),)),
            ),
        ),
        replace(proof.program, shared=()),
        replace(proof.program, templates=(main,)),
        replace(proof.program, templates=(main, replace(worker, is_single=True))),
        replace(proof.program, templates=(main, replace(worker, is_created=False))),
        replace(proof.program, templates=(main, replace(worker, name="main"))),
        replace(proof.program, templates=(main, replace(worker, statements=worker.statements[1:]))),
        replace(proof.program, templates=(main, replace(worker, statements=worker.statements[::-1]))),
        replace(proof.program, templates=(main, replace(worker, entry=main.entry))),
    ]
    for boolean in forged:
        assert refuses(made, replace(proof, program=boolean))


def test_a_change_that_a_statement_does_not_tell_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    changes: list[Callable[[Statement], Statement]] = [
        lambda s: replace(s, shared=()),
        lambda s: replace(s, own=()),
        lambda s: replace(s, everywhere=()),
        lambda s: replace(s, creates=None),
        lambda s: replace(s, targets=(s.source, *s.targets)),
    ]
    tried = 0
    for number, template in enumerate(proof.program.templates):
        for index, statement in list(enumerate(template.statements))[::2]:
            for change in changes:
                broadcast = {name for owner, name in statement.everywhere if owner == template.name}
                is_same = change(statement) == statement or (
                    change is changes[1] and set(statement.own) <= broadcast
                )
                if not is_same:
                    tried += 1
                    assert refuses(made, with_statement(proof, number, index, change)), statement
    assert tried > 10


def test_a_proof_for_too_few_threads_is_refused(tmp_path: Path) -> None:
    """What two threads can reach is not closed where a third one is created."""
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    semantics = Semantics(proof.program)
    found = dict.fromkeys(semantics.initial())
    waiting = list(found)
    while waiting:
        for after in semantics.successors(waiting.pop()):
            if after not in found and len(after[1]) <= 3:
                found[after] = None
                waiting.append(after)
    assert not any(map(semantics.is_bad, found))
    with pytest.raises(RefusedProofError, match="not closed"):
        check_symmetric(made, REACH, replace(proof, argument=Reachable(tuple(found))), Budget(AMPLE))


@pytest.mark.parametrize("size", [0, -1])
def test_a_view_of_nobody_is_refused(size: int, tmp_path: Path) -> None:
    """Without a worker in view no worker ever steps, and nothing that one does is seen."""
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    assert isinstance(proof.argument, ClosedViews)
    with pytest.raises(RefusedProofError, match="no thread is in view"):
        check_symmetric(
            made, REACH, replace(proof, argument=replace(proof.argument, size=size)), Budget(AMPLE)
        )


def test_a_predicate_that_its_owner_does_not_know_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof, terms = proof_of(made), made.terms
    system = TemplateSystem(made)
    foreign = terms.eq(system.at(system.position(system.workers[0], 1)), system.place(0))
    arbitrary = terms.eq(terms.var("?", system.terms.sort(system.at(0))), system.place(0))
    for predicate, reason in (
        (Predicate(foreign, 1), "does not know"),
        (Predicate(foreign), "does not know"),
        (Predicate(arbitrary), "does not know"),
        (Predicate(terms.true, 7), "no template"),
    ):
        with pytest.raises(RefusedProofError, match=reason):
            check_symmetric(
                made, REACH, replace(proof, predicates=(*proof.predicates, predicate)), Budget(AMPLE)
            )


def test_a_creation_that_is_repeated_is_no_single_thread(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    (site,) = (edge.source for edge in Creations(made).edges["worker"])
    with pytest.raises(RefusedProofError, match="counts as existing once"):
        check_symmetric(made, REACH, replace(proof_of(made), singles=(site,)), Budget(AMPLE))


# --- an engine with a fault -------------------------------------------------------------------------

solutions, view_parts, after_views = BooleanMachine.solutions, EngineViews.of, EngineViews.after
ask, statement_of, initially = SolverOracle.ask, Abstraction._statement, Abstraction._initially


def too_strong(oracle: SolverOracle, *args: Any) -> int | Cube:
    """Learned clauses lack their last literal."""
    found = ask(oracle, *args)
    if not isinstance(found, Cube) or found.mask.bit_count() < 2:
        return found
    last = 1 << found.mask.bit_length() - 1
    return Cube(found.mask & ~last, found.value & ~last)


def statements_with(**changes: Any) -> Callable[..., Statement]:
    return lambda *args: replace(statement_of(*args), **changes)


def opposite(abstraction: Abstraction) -> tuple[Clause, ...]:
    found = (clause.literals[0] for clause in initially(abstraction))
    return tuple(Clause((x._replace(is_positive=not x.is_positive),)) for x in found)


def views_without_workers(views: EngineViews, configuration: Any) -> list[Any]:
    return [view for view in view_parts(views, configuration) if not views.parts(view)[1]]


def steps_of_main(views: EngineViews, configuration: Any) -> list[Any]:
    workers = views.parts(configuration)[1]
    return [after for after in after_views(views, configuration) if views.parts(after)[1] == workers]


FAULTS: dict[str, tuple[type, str, Any, str]] = {
    "a broadcast forgets passive threads": (
        BooleanMachine,
        "passive",
        lambda machine, step, word, local: (local,),
        LAST_WRITER,
    ),
    "one solution of many": (BooleanMachine, "solutions", lambda *args: solutions(*args)[:1], OWNED_BY_ONE),
    "nobody but the view": (EngineViews, "larger", lambda views, view: (), LAST_WRITER),
    "no workers in view": (EngineViews, "of", views_without_workers, TWICE),
    "workers take no steps": (EngineViews, "after", steps_of_main, SHARED_BY_ALL),
    "clauses are too strong": (SolverOracle, "ask", too_strong, TWICE),
    "no broadcasts": (Abstraction, "_statement", statements_with(everywhere=()), LAST_WRITER),
    "shared Booleans do not change": (Abstraction, "_statement", statements_with(shared=()), TWICE),
    "local Booleans do not change": (Abstraction, "_statement", statements_with(own=()), COUNTER),
    "nobody is created": (Abstraction, "_statement", statements_with(creates=None), TWICE),
    "another start": (Abstraction, "_initially", opposite, COUNTER),
    "nothing is bad": (Abstraction, "bad", (), TWICE),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_faulty_engine_claims_is_refused(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name, wrong, text = FAULTS[fault]
    made = program(tmp_path, text)
    monkeypatch.setattr(owner, name, wrong)
    proof = proof_of(made)
    with pytest.raises(RefusedProofError):
        check_symmetric(made, REACH, proof, Budget(AMPLE))


def test_a_race_that_is_not_looked_for_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    race = PROPERTY_GROUPS["race"]
    made = program(tmp_path, RACY, properties=race)
    monkeypatch.setattr(Abstraction, "_races", lambda abstraction: [])
    proof = proof_of(made, race)
    with pytest.raises(RefusedProofError, match="race"):
        check_symmetric(made, race, proof, Budget(AMPLE))


# --- random Boolean programs ------------------------------------------------------------------------


def accepts(boolean: BooleanProgram, argument: ClosedViews) -> bool:
    try:
        check_argument(Semantics(boolean), argument, lambda: None)
    except RefusedProofError:
        return False
    return True


@pytest.mark.parametrize("seed", range(25))
def test_what_the_engine_finds_is_closed(seed: int) -> None:
    boolean = random_program(seed)
    if not boolean.templates[1].is_created:
        return
    machine = BooleanMachine(boolean)
    for size in (1, 2):
        found = saturate(machine, size)
        if found is not None:
            assert accepts(
                boolean, ClosedViews(size, tuple(existing_threads(machine, view) for view in found))
            )
