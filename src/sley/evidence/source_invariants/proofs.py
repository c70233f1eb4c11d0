"""Invariants from proofs that have them as formulas: trees of abstract states, and modular proofs.

Only live registers count: others may be left as they were where C changes them. Nothing is said of objects
that are accessed at quiet stops: a proof does not know what they hold while a thread runs through.
"""

from collections.abc import Iterable, Iterator, Mapping

from sley.evidence.invariants import SourceInvariant
from sley.evidence.modular.proof import ModularProof
from sley.evidence.reachability_tree.proof import ReachabilityTree, TreeNode
from sley.evidence.source_invariants.formulas import Case, FormulaWriter, disjunction
from sley.evidence.source_invariants.places import PlaceFinder, SourcePlace
from sley.evidence.source_invariants.variables import (
    GlobalCell,
    Named,
    RegisterOf,
    Sayable,
    ScalarName,
)
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.program import Program
from sley.semantics.code import Code
from sley.semantics.roles import CellRole, RegisterRole, StatusRole
from sley.semantics.templates import MAIN, TemplateSystem
from sley.semantics.vocabulary import RUNNING, STATUS


class FromTree:
    """Every state satisfies the label of a node that agrees with it on where the threads stand."""

    def __init__(self, program: Program, proof: ReachabilityTree) -> None:
        self.terms = program.terms
        self.code = Code(program)
        self.quiet = proof.quiet
        self.places = PlaceFinder(self.code, self.code.stops - self.quiet)
        self._at: dict[int, list[tuple[TreeNode, int]]] = {}
        for node in proof.nodes:
            for thread, location in enumerate(node.control):
                if node.cover is None:
                    self._at.setdefault(location, []).append((node, thread))

    def cases(self, stop: int, named: Named) -> Iterator[Case]:
        """What the labels say where a thread stands here."""
        for node, thread in self._at.get(stop, ()):
            names = _names(self.code, named, thread, stop)
            yield FormulaWriter(self.terms, names).case(node.label, self._known(node))

    def _known(self, node: TreeNode) -> dict[Term, Term]:
        running = (thread for thread, at in enumerate(node.control) if at >= 0)
        terms = self.terms
        return {terms.var(StatusRole(one), STATUS): terms.const(RUNNING, STATUS) for one in running}


class FromModular:
    """The invariants of all views hold wherever a thread stands."""

    def __init__(self, program: Program, proof: ModularProof) -> None:
        self.program = program
        self.proof = proof
        self.system = TemplateSystem(
            program,
            singles=proof.singles,
            copies=proof.size + 2,
            watched=proof.watched,
            counted=proof.counted,
        )
        self.code = self.system.code
        self.quiet = self.system.quiet
        self.places = PlaceFinder(self.code, self.code.stops - self.quiet)

    def cases(self, stop: int, named: Named) -> Iterator[Case]:
        """What the invariants say where a thread of a template stands here."""
        function = self.code.function_at[stop].name
        for template in self.system.templates:
            if template.function == function:
                position = template.position
                names = _names(self.code, named, position, stop)
                known = {self.system.at(position): self.system.place(stop)}
                yield FormulaWriter(self.program.terms, names).case(self._conjuncts(position), known)

    def _conjuncts(self, position: int) -> Iterator[Term]:
        for view, conjuncts in self.proof.invariants.items():
            if position == MAIN or position in view:
                yield from conjuncts


def from_formulas(proof: FromTree | FromModular) -> Iterator[SourceInvariant]:
    """What a proof says at loops and locks."""
    sayable = Sayable(proof.code, proof.quiet)
    for place in proof.places.all():
        text = disjunction(_cases(proof, place, sayable.at(place)))
        if text is not None:
            yield SourceInvariant(place.span, place.function, text, place.kind)


def _cases(proof: FromTree | FromModular, place: SourcePlace, named: Iterable[Named]) -> Iterator[Case]:
    for site, variables in zip(place.sites, named, strict=True):
        for stop in site.stops:
            yield from proof.cases(stop, variables)


def _names(code: Code, named: Named, thread: int, stop: int) -> Mapping[Term, ScalarName]:
    """The terms that stand for variables, in one thread; local objects may have ended, and have none."""
    terms = code.program.terms
    live = {register.name: register for register in code.live.get(stop, ())}
    found: dict[Term, ScalarName] = {}
    for variable, where in named.items():
        match where:
            case RegisterOf(name=name) if name in live:
                found[terms.var(RegisterRole(thread, name), live[name].sort)] = variable
            case GlobalCell(number=number, index=index):
                found[terms.var(CellRole(number, index), bitvec((variable.width + 7) // 8 * 8))] = variable
            case _:
                pass
    return found
