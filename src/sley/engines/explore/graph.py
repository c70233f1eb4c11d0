"""The states that were found and how: enough to build a schedule to each, and the proof."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.evidence.trace import Schedule, ScheduleStep
from sley.logic.terms import Term
from sley.semantics.knowledge import TRUE, ValueKnowledge, inputs_of, term_of, variable_of
from sley.semantics.machine import StateMachine
from sley.semantics.memory import Choice
from sley.semantics.state import State
from sley.semantics.values import Computed, Open, Ranges, Undetermined, representative


class Split(NamedTuple):
    """The state is the part of its parent in which a value lies in ``ranges``."""

    value: Open
    ranges: Ranges


class StateMove(NamedTuple):
    """The state follows from its parent by a step of ``thread``."""

    thread: int
    choices: tuple[Choice, ...]
    renaming: tuple[int, ...] = ()
    """Thread -> what it is called in the state; empty if as in the parent."""
    is_idle: bool = False
    """Whether the step can be put off (``symmetry``)."""
    beyond: int = 0
    """How many steps of the first thread, which is the only one, follow at once (``StateMachine.beyond``)."""


ALONE = StateMove(0, ())
"""One of these."""


@dataclass(slots=True)
class StateGraph:
    """States by number of discovery."""

    numbers: dict[State, int] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    arrivals: list[StateMove | Split | None] = field(default_factory=list)
    before: int = 0
    """How many steps of the only thread lead to the first state."""

    def add(self, state: State, parent: int, arrival: StateMove | Split | None) -> int:
        """Enter a new state; its number."""
        number = len(self.states)
        self.numbers[state] = number
        self.states.append(state)
        self.parents.append(parent)
        self.arrivals.append(arrival)
        return number

    def backwards(self, number: int, last: StateMove | None = None) -> list[StateMove | Split]:
        """The arrivals from a state (and one more step) back to the first."""
        arrivals: list[StateMove | Split] = [last] if last is not None else []
        at = number
        while (arrival := self.arrivals[at]) is not None:
            if isinstance(arrival, StateMove):
                arrivals += [ALONE] * arrival.beyond
            arrivals.append(arrival)
            at = self.parents[at]
        return arrivals + [ALONE] * self.before


def concrete(backwards: Sequence[StateMove | Split], machine: StateMachine) -> Schedule:
    """The steps of arrivals in reverse order, choosing members for undetermined values."""
    run = _ValueNumbers(machine)
    steps: list[tuple[int, list[int | Undetermined]]] = []
    for arrival in reversed(backwards):
        if isinstance(arrival, Split):
            run.learn(term_of(run.terms, arrival.value), arrival.ranges)
        else:
            steps.append((arrival.thread, [run.chosen(choice) for choice in arrival.choices]))
    number = run.numbers()
    return tuple(ScheduleStep(thread, tuple(map(number, choices))) for thread, choices in steps)


class _ValueNumbers:
    """What is known of all undetermined values of a run, each with a number that no other one has."""

    def __init__(self, machine: StateMachine) -> None:
        self.terms = machine.code.program.terms
        self._consistency = machine.consistency
        self._known = ValueKnowledge(self.terms)
        self._named: dict[Term, Term] = {}
        """Variables of states now -> what they are in the run."""

    def chosen(self, choice: Choice) -> int | Undetermined:
        """What a step chose."""
        if isinstance(choice, int):
            return choice
        (made,) = (v for v in inputs_of(choice) if variable_of(self.terms, v) == term_of(self.terms, choice))
        own = replace(made, number=len(self._known.inputs))
        self._known.inputs[own.number] = own
        self._named[variable_of(self.terms, made)] = variable_of(self.terms, own)
        for one in inputs_of(choice):
            self.learn(variable_of(self.terms, one), one.ranges)
        for fact in choice.facts if isinstance(choice, Computed) else ():
            self.learn(fact, TRUE)
        return own

    def learn(self, term: Term, ranges: Ranges) -> None:
        """Something of the state is in these ranges."""
        self._known.learn(self.terms.substitute(term, self._named), ranges)

    def numbers(self) -> Callable[[int | Undetermined], int]:
        """What to choose: the smallest numbers where values have nothing to do with each other."""
        settled = self._known.settled()
        known, facts = settled.known, settled.known.facts
        fitting: dict[Term, int] = {
            variable_of(self.terms, one): representative(one.ranges) for one in known.inputs.values()
        }
        related = tuple(sorted({v for fact in facts for v in self.terms.variables(fact)}))
        if related:
            assert self._consistency is not None
            model = self._consistency.model(frozenset(known.formulas()), related)
            assert model is not None, "a run that is not possible"
            fitting.update(zip(related, model, strict=True))

        def number(choice: int | Undetermined) -> int:
            value = settled(choice)
            if isinstance(value, Open):
                return int(self.terms.evaluate(term_of(self.terms, value), fitting))
            assert isinstance(value, int)
            return value

        return number


def real_names(moves: Iterable[StateMove]) -> Iterator[int]:
    """Whose the moves are, with threads called as they are when created."""
    names: dict[int, int] = {}
    for move in moves:
        yield names.get(move.thread, move.thread)
        names = {new: names.get(old, old) for old, new in enumerate(move.renaming)} or names
