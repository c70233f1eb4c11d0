"""Concrete runs against a modular proof: in every state, its invariants hold of any threads in view.

The positions of a view stand for threads of the run, in all ways that their templates allow; those that were
not created yet are absent. The invariants are evaluated, no solver is asked; what mentions a value that is
not decided in a state is passed over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from sley.evidence.modular import ModularProof
from sley.evidence.runs import Follower
from sley.logic.clauses import disjuncts, fixed_values
from sley.logic.operators import Value
from sley.logic.terms import Term
from sley.program.instructions import Create
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.roles import ChangerRole, HandleRole, LocationRole, ObjectRole, StatusRole, ThreadRole
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.templates import ABSENT_AT, EXITED_AT, MAIN, TemplateSystem
from sley.semantics.valuation import Valuations
from sley.semantics.vocabulary import ABSENT

Threads = Mapping[int, int | None]
"""Position -> the thread of the run; None: one that was not created yet."""


class ModularFollower(Follower):
    """Evaluates the invariants of all views."""

    def __init__(self, code: Code, proof: ModularProof) -> None:
        self.code = code
        self.terms = code.program.terms
        self.proof = proof
        self.system = TemplateSystem(
            code.program, singles=proof.singles, copies=proof.size + 2, watched=proof.watched
        )
        self.valuations = Valuations(code)
        self.positions: list[int] = []
        """Thread of the run -> the position of its template."""
        self.changers: dict[Term, int] = {}
        """Watched variable -> the handle of the thread that changed it last."""
        self.state = code.initial()
        self.values: dict[Term, Value] = {}
        self._unless = {
            conjunct: self._excluding(conjunct) for found in proof.invariants.values() for conjunct in found
        }

    def _excluding(self, conjunct: Term) -> dict[Term, Value]:
        """Variables and constants: unless they are equal, the conjunct is true."""
        t = self.terms
        fixed = fixed_values(t, (t.not_(part) for part in disjuncts(t, conjunct)))
        return {variable: t.value(value) for variable, value in fixed.items()}

    def speaks_of(self, location: int) -> bool:
        """Steps of templates run through stops where nobody else needs a turn."""
        return location in self.code.stops and location not in self.system.quiet

    def start(self, state: State) -> str | None:
        """Main alone."""
        self.positions = [MAIN]
        self.changers = dict.fromkeys(self.proof.watched, 0)
        self.state, self.values = state, self.valuations.of(state)
        return self._misfit()

    def step(self, thread: int, edges: Sequence[Edge], state: State | None) -> str | None:
        """Who is created, and who has changed what is watched, is remembered."""
        if state is None:
            return None
        before = self.values
        self.state, self.values = state, self.valuations.of(state)
        created = [self.system.created_by(edge) for edge in edges if isinstance(edge.instruction, Create)]
        self.positions += [template.position for template in created]
        for variable in self.proof.watched:
            if before.get(variable) != self.values.get(variable):
                self.changers[variable] = thread + 1
        return self._misfit()

    def _misfit(self) -> str | None:
        """An invariant that is false."""
        singles = {template.position for template in self.system.singles}
        known: list[tuple[int, int | None]] = [(p, t) for t, p in enumerate(self.positions) if t != MAIN]
        present: Threads = {p: t for p, t in known if p in singles} | {MAIN: MAIN}
        known += [(p, None) for p in singles if p not in self.positions]
        known += [(many.position, None) for many in self.system.replicated for _ in range(self.proof.size)]
        size = min(self.proof.size, self.system.size - 1)
        for chosen in dict.fromkeys(permutations(known, size)):
            view = tuple(position for position, _ in chosen)
            threads = dict(present)
            for index, (position, thread) in enumerate(chosen):
                threads[self._copy(position, view[:index].count(position))] = thread
            for conjunct in self.proof.invariants.get(view, ()):
                if not self._holds(conjunct, threads):
                    return f"an invariant is false of the threads {[thread for _, thread in chosen]}"
        return None

    def _copy(self, position: int, copy: int) -> int:
        template = self.system.template(position)
        return self.system.position(template, copy if template.is_replicated else 0)

    def _holds(self, conjunct: Term, threads: Threads) -> bool:
        for variable, value in self._unless[conjunct].items():
            if self._value(variable, threads) not in (None, value):
                return True
        values = {v: self._value(v, threads) for v in self.terms.variables(conjunct)}
        known = {variable: value for variable, value in values.items() if value is not None}
        return len(known) < len(values) or self.terms.evaluate(conjunct, known) is True

    def _value(self, variable: Term, threads: Threads) -> Value | None:
        """What a variable of the templates is in the state; None if that is not decided."""
        role, program = self.terms.symbol(variable), self.code.program
        match role:
            case ChangerRole():
                return next(self.changers[v] for v in self.changers if self.system.changer(v) == variable)
            case LocationRole(thread=position):
                return self._place(threads.get(position)) & 0xFFFF_FFFF
            case HandleRole(thread=position):
                thread = threads.get(position)
                return None if thread is None else thread + 1
            case ThreadRole(thread=position):
                thread = threads.get(position)
                if thread is None:
                    return ABSENT if isinstance(role, StatusRole) else None
                return self.values.get(
                    self.terms.var(replace(role, thread=thread), self.terms.sort(variable))
                )
            case ObjectRole(number=number) if (local := program.local_slot(number)) is not None:
                thread = local[0] if self.system.has_ids else threads.get(local[0])
                if thread is None:
                    return None
                moved = replace(role, number=program.local_number(thread, local[1]))
                return self.values.get(self.terms.var(moved, self.terms.sort(variable)))
        return self.values.get(variable)

    def _place(self, thread: int | None) -> int:
        if thread is None:
            return ABSENT_AT
        at = self.state.threads[thread]
        return EXITED_AT if is_ended(at) else location_of(at)
