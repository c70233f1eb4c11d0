"""Concrete runs against a modular proof: in every state, its invariants hold of any threads in view.

The positions of a view stand for threads of the run, in all ways that their templates allow; those that were
not created yet are absent. The invariants are evaluated, no solver is asked; what mentions a value that is
not decided in a state is passed over.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from sley.evidence.modular.proof import ModularProof, View
from sley.evidence.template_runs import TemplateFollower, Threads
from sley.logic.clauses import disjuncts, fixed_values
from sley.logic.operators import AnyValue, Value
from sley.logic.terms import Term
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.roles import ChangerRole, LocationRole, NumberRole
from sley.semantics.state import State
from sley.semantics.templates import MAIN, TemplateSystem

ALIKE, MOST_THREADS = 2, 3
"""Invariants are evaluated for so many threads of a template in the same state, and so many at all."""


class ModularFollower(TemplateFollower):
    """Evaluates the invariants of all views."""

    def __init__(self, code: Code, proof: ModularProof) -> None:
        system = TemplateSystem(
            code.program,
            singles=proof.singles,
            copies=proof.size + 2,
            watched=proof.watched,
            counted=proof.counted,
        )
        super().__init__(code, system)
        self.proof = proof
        self.last = MAIN
        """The thread that stepped last."""
        self.changers: dict[Term, int] = {}
        """Watched variable -> the handle of the thread that changed it last."""
        self._unless = {
            conjunct: self._excluding(conjunct) for found in proof.invariants.values() for conjunct in found
        }
        self._conjuncts = {view: self._sorted(found) for view, found in proof.invariants.items()}

    def _sorted(self, conjuncts: Sequence[Term]) -> dict[Term | None, dict[AnyValue | None, list[Term]]]:
        """What is evaluated, by the place where some thread must be for it to say anything."""
        found: dict[Term | None, dict[AnyValue | None, list[Term]]] = {}
        for conjunct in conjuncts:
            unless = self._unless[conjunct]
            at = next((v for v in unless if isinstance(self.terms.symbol(v), LocationRole)), None)
            places = found.setdefault(at, {})
            places.setdefault(None if at is None else unless[at], []).append(conjunct)
        return found

    def _relevant(self, view: View, threads: Threads) -> Iterator[Term]:
        for at, places in self._conjuncts.get(view, {}).items():
            yield from places.get(None if at is None else self.value(at, threads), ())

    def without(self, view: View, conjunct: Term) -> None:
        """Evaluate it no more."""
        for places in self._conjuncts[view].values():
            for conjuncts in places.values():
                if conjunct in conjuncts:
                    conjuncts.remove(conjunct)

    def _excluding(self, conjunct: Term) -> dict[Term, Value]:
        """Variables and constants: unless they are equal, the conjunct is true."""
        t = self.terms
        fixed = fixed_values(t, (t.not_(part) for part in disjuncts(t, conjunct)))
        return {variable: t.value(value) for variable, value in fixed.items()}

    def start(self, state: State) -> str | None:
        """No thread has changed anything."""
        self.changers, self.last = dict.fromkeys(self.proof.watched, 0), MAIN
        return super().start(state)

    def follow(self, thread: int, edges: Sequence[Edge], state: State) -> None:
        """Remember also which thread has changed what is watched."""
        before, self.last = self.values, thread
        super().follow(thread, edges, state)
        for variable in self.proof.watched:
            if before.get(variable) != self.values.get(variable):
                self.changers[variable] = thread + 1

    def judge(self, state: State) -> str | None:
        """An invariant that is false."""
        for _, _, threads in self.falsified():
            return f"an invariant is false of the threads {threads}"
        return None

    def falsified(self) -> Iterator[tuple[View, Term, list[int | None]]]:
        """The conjuncts that are false in the state that the run has come to, and of which threads."""
        singles = {template.position for template in self.system.singles}
        known: list[tuple[int, int | None]] = [(self.positions[t], t) for t in self._different()]
        known += [(p, None) for p in singles if p not in self.positions]
        known += [(many.position, None) for many in self.system.replicated for _ in range(self.proof.size)]
        size = min(self.proof.size, self.system.size - 1)
        for chosen in dict.fromkeys(permutations(known, size)):
            view = tuple(position for position, _ in chosen)
            threads = self.present()
            for index, (position, thread) in enumerate(chosen):
                threads[self._copy(position, view[:index].count(position))] = thread
            for conjunct in self._relevant(view, threads):
                if not self._holds(conjunct, threads):
                    yield view, conjunct, [thread for _, thread in chosen]

    def _different(self) -> list[int]:
        """Some of the threads but main: the last to step; two of each kind; not many at all."""
        found: dict[int, list[int]] = {}
        alike = Counter[tuple[int, object]]()
        for thread in dict.fromkeys((self.last, *range(1, len(self.positions)))):
            position = self.positions[thread]
            kind = position, self.state.threads[thread]
            alike[kind] += 1
            if (
                thread != MAIN
                and alike[kind] <= ALIKE
                and len(chosen := found.setdefault(position, [])) < MOST_THREADS
            ):
                chosen.append(thread)
        return sorted(thread for chosen in found.values() for thread in chosen)

    def _copy(self, position: int, copy: int) -> int:
        template = self.system.template(position)
        return self.system.position(template, copy if template.is_replicated else 0)

    def _holds(self, conjunct: Term, threads: Threads) -> bool:
        for variable, value in self._unless[conjunct].items():
            if self.value(variable, threads) not in (None, value):
                return True
        values = {v: self.value(v, threads) for v in self.terms.variables(conjunct)}
        known = {variable: value for variable, value in values.items() if value is not None}
        return len(known) < len(values) or self.terms.evaluate(conjunct, known) is True

    def value(self, variable: Term, threads: Threads) -> AnyValue | None:
        """Also the last writers of what is watched, and how many threads are in a group."""
        match self.terms.symbol(variable):
            case ChangerRole():
                return next(self.changers[v] for v in self.changers if self.system.changer(v) == variable)
            case NumberRole(group=index):
                places = (self.place(thread) for thread in range(len(self.positions)))
                return sum(map(self.proof.counted[index].has, self.positions, places))
            case _:
                pass
        return super().value(variable, threads)
