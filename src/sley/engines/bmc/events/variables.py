"""Whose a variable is: shared by threads, or kept by one of them.

Registers, and memory that only one thread accesses, are kept in the state of the thread that is unrolled.
That memory is private is claimed by an analysis, and checked: a thread that accesses what is private to
another gives up.
"""

from collections.abc import Mapping

from sley.analyses.sharing import Sharing
from sley.base.errors import GaveUpError
from sley.logic.sorts import BOOL, Sort
from sley.logic.terms import Term
from sley.semantics.places import ShapePlaces
from sley.semantics.roles import AliveRole, CellRole, FirstRole, RegisterRole, SizeRole, ThreadRole
from sley.semantics.symbolic_step import Shape
from sley.semantics.vocabulary import Vocabulary


class Variables:
    """The variables of a program in which certain threads and blocks may exist."""

    def __init__(self, places: ShapePlaces, sharing: Sharing, found: Shape, shape: Shape) -> None:
        self.places = places
        self.sharing = sharing
        self.terms = places.program.terms
        self.thread = 0
        """The thread that is unrolled."""
        self.owners: dict[Term, int] = {}
        """Private memory -> the thread that keeps it."""
        self.steady = self.terms.var("!steady", BOOL)
        """Kept like private memory: the thread has not used a spurious wake-up in its section."""
        self.found = found
        """The threads and blocks that were found to exist so far."""
        self._expect(shape)
        self._is_shared: dict[Term, bool] = {}
        self._fresh_count = 0

    def _expect(self, shape: Shape) -> None:
        """These threads and blocks may exist."""
        self.shape = shape
        self.vocabulary: Vocabulary = self.places.steps.vocabulary(shape)
        self._initial = self.places.steps.initial_values(shape)

    def find(self, found: Shape) -> None:
        """These threads and blocks exist: more, or others, than expected may do so."""
        self.found = found
        threads, heap = self.shape
        threads = threads if threads[: len(found.threads)] == found.threads else found.threads
        heap = heap if heap[: len(found.heap)] == found.heap else found.heap
        if (threads, heap) != self.shape:
            self._expect(Shape(threads, heap))

    def new_symbol(self, sort: Sort, text: str) -> Term:
        """A variable that occurs nowhere else in the events."""
        self._fresh_count += 1
        return self.terms.var(f"!{self._fresh_count}{text}", sort)

    def is_visible(self, variable: Term) -> bool:
        """Whether two threads may access the variable."""
        found = self._is_shared.get(variable)
        if found is None:
            found = self._is_shared[variable] = self._compute_visible(self.terms.symbol(variable))
        return found

    def _compute_visible(self, symbol: object) -> bool:
        match symbol:
            case CellRole(number=number) | AliveRole(number=number):
                obj = self.places.abstract(self.shape, number)
                return obj is None or self.sharing.is_shared(obj)
            case RegisterRole():
                return False
            case ThreadRole():
                return True
            case _:
                return False  # sizes, inputs and symbols of earlier reads never change

    def local(self, values: Mapping[Term, Term], variable: Term) -> Term:
        """The value of a register, of private memory, of a size, or an input."""
        found = values.get(variable)
        if found is not None:
            return found
        sort = self.terms.sort(variable)
        match self.terms.symbol(variable):
            case ThreadRole():
                return self.terms.const(False if sort == BOOL else 0, sort)
            case SizeRole(number=number):
                return self.terms.const(self.vocabulary.instances[number].capacity, sort)
            case CellRole() | AliveRole():
                self.claim(variable)
                return self.first(variable)
            case _:
                return self.terms.true if variable == self.steady else variable

    def claim(self, variable: Term) -> None:
        """No other thread may access private memory."""
        if isinstance(self.terms.symbol(variable), CellRole | AliveRole):
            owner = self.owners.setdefault(variable, self.thread)
            if owner != self.thread:
                raise GaveUpError("two threads access memory that was thought to be private")

    def first(self, variable: Term) -> Term:
        """What a variable holds when the program starts."""
        found = self._initial.get(variable)
        if found is None:
            role = FirstRole(self.terms.symbol(variable))
            found = self._initial[variable] = self.terms.var(role, self.terms.sort(variable))
        return found

    def value(self, values: Mapping[Term, Term], term: Term) -> Term:
        """A term of the thread's function, where it mentions no memory."""
        return self.all_values(values, (term,))[0]

    def all_values(self, values: Mapping[Term, Term], terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """The same of several terms."""
        own, mapping = self.vocabulary.substitution(self.thread), dict[Term, Term]()
        for variable in {v for term in terms for v in self.terms.variables(term)}:
            mine = own.get(variable, variable)
            mapping[variable] = self.local(values, mine) if self.terms.is_var(mine) else mine
        return self.terms.substitute_all(terms, mapping)
