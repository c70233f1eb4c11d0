"""Concrete runs against a proof by symmetric predicate abstraction: the abstraction of every state is in it.

The predicates are evaluated for the threads of the run, no solver is asked. A predicate over what is not
decided in a state may be true or false: then one of both must fit.
"""

from collections.abc import Iterator, Mapping
from itertools import product

from sley.evidence.symmetric.closure import membership
from sley.evidence.symmetric.obligations import COPIES, places
from sley.evidence.symmetric.proof import Configuration, SymmetricProof
from sley.evidence.symmetric.semantics import Semantics, bits
from sley.evidence.template_runs import TemplateFollower, Threads
from sley.logic.operators import AnyValue
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.state import State
from sley.semantics.templates import TemplateSystem

MOST_UNDECIDED = 6
"""Where more predicates are not decided, a state is passed over."""


class SymmetricFollower(TemplateFollower):
    """Evaluates the predicates of all threads."""

    def __init__(self, code: Code, proof: SymmetricProof) -> None:
        super().__init__(code, TemplateSystem(code.program, singles=proof.singles, copies=COPIES))
        self.proof = proof
        self.semantics = Semantics(proof.program)
        self.contains = membership(self.semantics, proof.argument)
        self.places = places(self.system, proof)
        self._known: dict[tuple[Term, tuple[AnyValue, ...]], bool] = {}

    def judge(self, state: State) -> str | None:
        """Whether the abstraction of the state is one of the proof's."""
        shared = self._predicates(self.proof.named(None), self.present())
        threads: list[tuple[int, dict[str, bool | None]]] = []
        for thread, position in enumerate(self.positions):
            number = self.system.templates.index(self.system.template(position))
            location = self.places.get((number, self.place(thread)))
            if location is None:
                return f"thread {thread} is at a place that the proof does not have"
            scope = self.proof.program.templates[number].scope(location)
            named = {name: term for name, term in self.proof.named(number).items() if name in scope}
            threads.append((location, self._predicates(named, self.present() | {position: thread})))
        undecided = [*shared.values(), *(v for _, held in threads for v in held.values())].count(None)
        if undecided > MOST_UNDECIDED or any(map(self.contains, self._configurations(shared, threads))):
            return None
        return f"the predicates say of it what is not in the proof: {shared}, {threads}"

    def _predicates(self, named: Mapping[str, Term], threads: Threads) -> dict[str, bool | None]:
        """Which of these are true; None where that is not decided."""
        return {name: self._truth(term, threads) for name, term in named.items()}

    def _truth(self, term: Term, threads: Threads) -> bool | None:
        variables = self.terms.variables(term)
        values = [self.value(variable, threads) for variable in variables]
        decided = tuple(value for value in values if value is not None)
        if len(decided) < len(values):
            return None
        key = term, decided
        if key not in self._known:
            self._known[key] = self.terms.evaluate(term, dict(zip(variables, decided, strict=True))) is True
        return self._known[key]

    def _configurations(
        self, shared: Mapping[str, bool | None], threads: list[tuple[int, dict[str, bool | None]]]
    ) -> Iterator[Configuration]:
        """All ways to decide what is not decided."""
        templates = self.proof.program.templates
        variables = [templates[self.semantics.template_at[location]].variables for location, _ in threads]
        choices = [
            [(location, values) for values in _values(names, held)]
            for (location, held), names in zip(threads, variables, strict=True)
        ]
        for values in _values(self.proof.program.shared, shared):
            for chosen in product(*choices):
                yield values, tuple(sorted(chosen))


def _values(names: tuple[str, ...], held: Mapping[str, bool | None]) -> list[int]:
    """The values of Booleans as bits, in all ways to decide what is not decided."""
    open_ = [name for name, value in held.items() if value is None]
    fixed = bits(names, [name for name, value in held.items() if value])
    return [
        fixed | bits(names, [name for name, value in zip(open_, chosen, strict=True) if value])
        for chosen in product((False, True), repeat=len(open_))
    ]
