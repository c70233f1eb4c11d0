"""The copy axiom Φ³ of the staged analysis, instantiated in different ways: what the solver has to do.

    python -m bench.fusion.instances [--time-limit 60] [--only account]

Φ³ says that no write comes between a read and the write that it copies, for every read and every write. As
published: all instances at once (section 5.3). Its two alternatives: instances only when a model breaks them
(*lazy*), and the axiom with its quantifiers, which z3 instantiates (section 9). All else is the paper's
encoding, summaries and pruning included, and the same in every column. The question is whether a violation is
possible within the bound. Ends with 1 if an answer is wrong.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from bench.catalogue import ACCOUNT_RACES, ACCOUNTS, FIBONACCI, INDEXER, STORE_BUFFERING, SYNCHRONISATION
from bench.families import Family, arguments
from bench.table import Table

from sley.base.budget import Budget
from sley.cli.commands import make_parser
from sley.cli.tasks import task_of
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.formula.copying import none_between
from sley.engines.bmc.formula.encoding import AXIOMS
from sley.engines.bmc.formula.formula import Formula, ReadChoice
from sley.engines.bmc.options import Stage
from sley.engines.bmc.slices import slice_of_run
from sley.engines.bmc.steps import reduced
from sley.evidence.bounded.proof import Loop
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.memory_model import MemoryModel
from sley.semantics.code import Code
from sley.solvers import make_sat_solver
from sley.solvers.port import Solver, SolverAnswer
from sley.solvers.z3_terms import Z3Translation
from sley.verification.reading import program_of

FAMILIES = (*ACCOUNT_RACES, *ACCOUNTS, *SYNCHRONISATION, *INDEXER, *FIBONACCI, STORE_BUFFERING)
SIZES: Mapping[str, Sequence[int]] = {
    "account1-races": (3, 5),
    "account2-races": (3, 5, 7),
    "account1": (3, 4),
    "synchronisation": (2, 4),
    "synchronisation-unsafe": (4, 8),
    "indexer-slice": (20, 31),
    "fibonacci": (4, 6),
    "fibonacci-unsafe": (4, 5),
    "store-buffering": (4, 8),
}
Pair = tuple[int, int]
Bounds = Mapping[Loop | int, int]


@dataclass(slots=True)
class Found:
    """What one way came to."""

    answer: SolverAnswer
    seconds: float
    instances: int | None = None
    rounds: int = 1

    def is_wrong(self, family: Family) -> bool:
        """Whether the program is not so."""
        right = SolverAnswer.SAT if family.expected == "bug" else SolverAnswer.UNSAT
        return self.answer not in (right, SolverAnswer.UNKNOWN)

    def cells(self) -> list[str]:
        """Seconds of the solver, or that it gave up; instances and rounds."""
        seconds = "over" if self.answer is SolverAnswer.UNKNOWN else f"{self.seconds:.2f}"
        return [seconds, "" if self.instances is None else str(self.instances)]


def formula_of(family: Family, size: int, *, has_instances: bool) -> Formula:
    """The published formula of a program, with or without Φ³."""
    words = ["check", str(family.path), *family.flags(size), "--published"]
    task = task_of(make_parser()[0].parse_args(words))
    options, properties = task.options.bmc.resolved(), task.selection.properties
    code, budget = Code(program_of(task)), Budget()
    sections, settled = (options.has(stage) for stage in (Stage.SECTIONS, Stage.SETTLED))
    unroller = Unroller(code, model=MemoryModel.SC, sections=sections, settled=settled)
    bounds: Bounds = dict.fromkeys(unroller.heads(), family.unwind(size))
    if options.slice_of_run is not None:
        part = slice_of_run(code, unroller.nest, options.slice_of_run, budget)
        unroller.taken, bounds = frozenset(part.branches), part.bounds
    graph = reduced(unroller.unroll(bounds, budget, finds_waits=False), options, properties)
    formula = Formula(graph, options, properties, budget)
    for axiom in AXIOMS:
        if has_instances or axiom is not none_between:
            axiom(formula)
    return formula


def timed(solver: Solver, seconds: float, *assumptions: Term) -> tuple[SolverAnswer, float]:
    started = time.process_time()
    answer = solver.check(*assumptions, time_limit=seconds)
    return answer, time.process_time() - started


# --- all at once ------------------------------------------------------------------------------------


def eager(f: Formula, solver: Solver, seconds: float) -> Found:
    """All instances that pruning leaves."""
    instances = sum(len(choice.copied) * (len(choice.rivals) - 1) for choice in f.choices)
    answer, spent = timed(solver, seconds, f.wrong)
    return Found(answer, spent, instances)


# --- when a model breaks them -------------------------------------------------------------------------


def lazy(f: Formula, solver: Solver, seconds: float) -> Found:
    """Instances that a model breaks, until none does."""
    found = Found(SolverAnswer.UNKNOWN, 0.0, 0)
    while found.seconds < seconds:
        found.answer, spent = timed(solver, seconds - found.seconds, f.wrong)
        found.seconds += spent
        broken = list(_broken(f, solver)) if found.answer is SolverAnswer.SAT else []
        if not broken:
            return found
        solver.add(*broken)
        found.instances = len(broken) + (found.instances or 0)
        found.rounds += 1
    found.answer = SolverAnswer.UNKNOWN
    return found


def _broken(f: Formula, solver: Solver) -> Iterator[Term]:
    """The instances of Φ³ that the model does not satisfy."""
    for choice in f.choices:
        for copy, write in choice.copied:
            if solver.value(copy):
                for rival in choice.rivals:
                    if rival is not write:
                        clause = _instance(
                            f, copy, f.named(rival.condition), choice, (write.node, rival.node)
                        )
                        if not solver.value(clause):
                            yield clause


def _instance(f: Formula, copy: Term, occurs: Term, choice: ReadChoice, nodes: Pair) -> Term:
    """copy(r, w) ∧ occ(w') ⇒ HB(w', w) or HB(r, w'), by clocks."""
    t, (write, rival) = f.terms, nodes
    is_earlier, is_later = _before(f, rival, write), _before(f, choice.read.node, rival)
    return t.or_(t.not_(copy), t.not_(occurs), is_earlier, is_later)


def _before(f: Formula, a: int, b: int) -> Term:
    if a == b or f.order.static.is_ordered(a, b):
        return f.terms.const(a != b and f.order.static.is_before(a, b), BOOL)
    return f.terms.ult(f.order.clock(a), f.order.clock(b))


# --- with quantifiers ---------------------------------------------------------------------------------


def by_z3(f: Formula, seconds: float, *, is_quantified: bool) -> Found:
    """z3 on the formula as it is, or with the quantified axiom beside it."""
    native = Z3Translation(f.terms).native
    solver = z3.Solver()
    solver.set(ctrl_c=False, timeout=max(1, round(1000 * seconds)))
    solver.add([native(formula) for formula in (*f.formulas, f.wrong)])
    solver.add([native(f.terms.or_(*clause)) for clause in f.clauses])
    if is_quantified:
        solver.add(list(_quantified_axiom(f, native)))
    started = time.process_time()
    said = solver.check()
    spent = time.process_time() - started
    if said == z3.unknown:
        return Found(SolverAnswer.UNKNOWN, spent)
    return Found(SolverAnswer.SAT if said == z3.sat else SolverAnswer.UNSAT, spent)


def _quantified_axiom(f: Formula, native: Callable[[Term], Any]) -> Iterator[Any]:
    """∀r, w'. occ(r) ∧ occ(w') ∧ loc(w') = loc(r) ∧ w' ≠ cp(r) ⇒ HB(w', cp(r)) or HB(r, w').

    A section may read and write in one node: its own write is no rival of its read.
    """
    reads, writes = z3.DeclareSort("Read"), z3.DeclareSort("Write")
    clock = native(f.order.clock(0)).sort()
    of_read, of_write = z3.Function("HBr", reads, clock), z3.Function("HBw", writes, clock)
    read_occurs = z3.Function("occr", reads, z3.BoolSort())
    write_occurs = z3.Function("occw", writes, z3.BoolSort())
    read_place, write_place = (
        z3.Function("locr", reads, z3.IntSort()),
        z3.Function("locw", writes, z3.IntSort()),
    )
    read_node, write_node = (
        z3.Function("noder", reads, z3.IntSort()),
        z3.Function("nodew", writes, z3.IntSort()),
    )
    copied = z3.Function("cp", reads, writes)
    named: dict[tuple[int, Term], Any] = {}
    places = {variable: number for number, variable in enumerate(f.graph.variables)}
    for _, listed in f.graph.variables.values():
        for write in listed:
            one = named[write.node, write.variable] = z3.Const(f"w{len(named)}", writes)
            yield of_write(one) == native(f.order.clock(write.node))
            yield write_occurs(one) == native(f.named(write.condition))
            yield write_place(one) == places[write.variable]
            yield write_node(one) == write.node
    yield z3.Distinct(*named.values())
    for number, choice in enumerate(f.choices):
        one = z3.Const(f"r{number}", reads)
        yield of_read(one) == native(f.order.clock(choice.read.node))
        yield read_occurs(one) == native(choice.occurs)
        yield read_place(one) == places[choice.read.variable]
        yield read_node(one) == choice.read.node
        for copy, write in choice.copied:
            yield z3.Implies(native(copy), copied(one) == named[write.node, write.variable])
    r, w = z3.Const("r", reads), z3.Const("w", writes)
    premise = z3.And(
        read_occurs(r),
        write_occurs(w),
        write_place(w) == read_place(r),
        w != copied(r),
        write_node(w) != read_node(r),
    )
    earlier, later = z3.ULT(of_write(w), of_write(copied(r))), z3.ULT(of_read(r), of_write(w))
    patterns = [z3.MultiPattern(of_read(r), of_write(w))]
    yield z3.ForAll([r, w], z3.Implies(premise, z3.Or(earlier, later)), patterns=patterns)


# --- the table ------------------------------------------------------------------------------------------


def sat(f: Formula) -> Solver:
    return make_sat_solver("minisat", f.terms, f.formulas, f.clauses)


def measured(family: Family, size: int, seconds: float) -> dict[str, Found]:
    """A program in every way."""
    full, open_ = (formula_of(family, size, has_instances=one) for one in (True, False))
    return {
        "all at once": eager(full, sat(full), seconds),
        "lazy": lazy(open_, sat(open_), seconds),
        "z3, all at once": by_z3(full, seconds, is_quantified=False),
        "z3, quantified": by_z3(open_, seconds, is_quantified=True),
    }


def main() -> int:
    chosen = arguments("Ways to instantiate an axiom.").parse_args()
    print("Seconds of the solver for the paper's encoding, by when Φ³ is instantiated\n")
    head = ("program", "size", "all at once", "instances", "lazy", "instances", "rounds", "z3, all", "z3, ∀")
    table = Table(head, (16, 4, 11, 9, 6, 9, 6, 8, 8), names=1)
    is_wrong = False
    for family in FAMILIES:
        if chosen.only and not any(part in family.name for part in chosen.only):
            continue
        for size in SIZES.get(family.name, ()):
            found = measured(family, size, chosen.time_limit)
            eagerly, lazily, *others = found.values()
            cells = [
                *eagerly.cells(),
                *lazily.cells(),
                str(lazily.rounds),
                *(one.cells()[0] for one in others),
            ]
            table.row([family.name, str(size), *cells])
            is_wrong |= any(one.is_wrong(family) for one in found.values())
    return 1 if is_wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
