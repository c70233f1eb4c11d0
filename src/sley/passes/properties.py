"""Properties become error locations, so that every engine has them.

* A ``Check`` of a selected property becomes a branch to an error location; of an unselected one, the run ends
  where it fails (signed overflow wraps instead).
* A ``Fault`` is put beside each instruction that can be wrong, if its property is selected; without one, the
  run ends there. Accesses that are certainly valid get none.

What an answer then rests on is added to the program's assumptions.
"""

from dataclasses import replace
from itertools import count

from sley.analyses.graphs import reachable
from sley.logic.sorts import Sort
from sley.passes.lifetimes import Lifetimes
from sley.program import instructions as ir
from sley.program.memory import Display
from sley.program.program import Edge, Function, Origin, Program
from sley.program.properties import FLOAT_CONVERSION, IN, INVALID_DEREFERENCE, INVALID_FREE, Failure, Property

_ASSUMPTIONS = {
    Property.DEREF: "an invalid dereference ends the run",
    Property.DIVISION: "a division by zero ends the run",
    Property.FREE: "an invalid free ends the run",
    Property.MISUSE: "a wrong use of a library function ends the run",
    Property.OVERFLOW: "signed overflow wraps around",
}
"""What an answer rests on if a property is not selected and the program can violate it."""

_ASSUMPTIONS_BY_RULE = {
    "shift-amount": "a shift by a negative number, or by the width or more, shifts all bits out",
    FLOAT_CONVERSION: "a floating-point number that does not fit an integer type becomes any value of it",
}
"""The same for rules that are not like the others of their property."""


def select_properties(program: Program, properties: frozenset[Property]) -> Program:
    """The flat program in which exactly the selected properties can be violated."""
    locations = program.fresh_locations()
    ignored: dict[str, None] = {}
    functions = {}
    for name, function in program.functions.items():
        selection = _Selection(program, function, properties, locations)
        functions[name] = selection.run()
        ignored.update(selection.ignored)
    texts = (*_ASSUMPTIONS.values(), *_ASSUMPTIONS_BY_RULE.values())
    known = dict.fromkeys((*program.assumptions, *(text for text in texts if text in ignored)))
    return replace(program, functions=functions, assumptions=tuple(known))


def _inside_atomic_sections(function: Function) -> frozenset[int]:
    """The locations between an ``AtomicBegin`` and its ``AtomicEnd``, both ends excluded."""
    begun = [edge.target for edge in function.edges if isinstance(edge.instruction, ir.AtomicBegin)]
    onward = {
        at: [edge.target for edge in edges if not isinstance(edge.instruction, ir.AtomicEnd)]
        for at, edges in function.outgoing.items()
    }
    return reachable(begun, onward) - {function.exit, *function.errors}


class _Selection:
    """One function."""

    def __init__(
        self,
        program: Program,
        function: Function,
        properties: frozenset[Property],
        locations: "count[int]",
    ) -> None:
        self.program = program
        self.function = function
        self.properties = properties
        self.locations = locations
        self.lifetimes = Lifetimes(program, function)
        self.inside_atomic = _inside_atomic_sections(function)
        self.edges: list[Edge] = []
        self.errors = dict(function.errors)
        self.registers = list(function.registers)
        self.ignored: dict[str, None] = {}
        """Assumptions about what is not selected."""

    def run(self) -> Function:
        for edge in self.function.edges:
            if isinstance(edge.instruction, ir.Check):
                self._check(edge, edge.instruction)
            elif isinstance(edge.instruction, ir.Faulty):
                self._faulty(edge, edge.instruction)
            else:
                self.edges.append(edge)
        return replace(
            self.function,
            edges=tuple(self.edges),
            errors=self.errors,
            registers=tuple(self.registers),
        )

    def _error(self, failure: Failure) -> int:
        location = next(self.locations)
        self.errors[location] = failure
        return location

    def _ignore(self, failure: Failure) -> None:
        text = _ASSUMPTIONS_BY_RULE.get(failure.rule) or _ASSUMPTIONS.get(failure.property)
        if text is not None:
            self.ignored[text] = None

    # --- checks -----------------------------------------------------------------------------------

    def _check(self, edge: Edge, check: ir.Check) -> None:
        terms = self.program.terms
        if check.condition == terms.true:
            self.edges.append(replace(edge, instruction=ir.Assign()))
            return
        violated = check.failure.property
        if violated in self.properties:
            self._branch(edge, check, self._error(_in_the_users_words(edge, check.failure)))
            return
        is_ours = edge.origin.is_library and check.failure.rule in _ASSUMPTIONS_BY_RULE
        if not is_ours:  # library models shift by what they have looked at
            self._ignore(check.failure)
        if violated is Property.OVERFLOW:
            self.edges.append(replace(edge, instruction=ir.Assign()))
        elif edge.source in self.inside_atomic:
            self._abort(edge, check)
        else:
            self.edges.append(replace(edge, instruction=ir.Assume(check.condition)))

    def _branch(self, edge: Edge, check: ir.Check, wrong: int) -> None:
        terms = self.program.terms
        if check.condition != terms.false:
            self.edges.append(replace(edge, instruction=ir.Assume(check.condition)))
        otherwise = ir.Assume(terms.not_(check.condition))
        self.edges.append(replace(edge, target=wrong, instruction=otherwise))

    def _abort(self, edge: Edge, check: ir.Check) -> None:
        """In an atomic section, an assumption that fails would block the thread, not end the run."""
        wrong = next(self.locations)
        self._branch(edge, check, wrong)
        ending = replace(edge, source=wrong, target=self.function.exit, instruction=ir.End(ir.Ending.ABORT))
        self.edges.append(ending)

    # --- faults -----------------------------------------------------------------------------------

    def _faulty(self, edge: Edge, instruction: ir.Faulty) -> None:
        siblings = self.function.outgoing[edge.source]
        if any(isinstance(sibling.instruction, ir.FaultTest) for sibling in siblings):
            self.edges.append(edge)
            return
        match instruction:
            case (
                ir.Load(access=access)
                | ir.Store(access=access)
                | ir.Update(access=access)
                | ir.Lock(access=access)
            ):
                if self.lifetimes.must_be_valid(edge.source, instruction, access):
                    self.edges.append(edge)
                else:
                    self._with_fault(edge, instruction, _invalid_access(edge, access))
            case ir.Unlock(access=access):
                self._unlock(edge, instruction, access)
            case ir.Free(address=address):
                if self.program.terms.number(address) == 0:
                    self.edges.append(edge)
                else:
                    self._with_fault(edge, instruction, _invalid_free(edge))
            case ir.Join():
                failure = _misuse(edge, "invalid-join", "join of a thread that cannot be joined")
                self._with_fault(edge, instruction, failure)
            case ir.Detach():
                failure = _misuse(edge, "invalid-detach", "detach of a thread that cannot be detached")
                self._with_fault(edge, instruction, failure)

    def _with_fault(self, edge: Edge, instruction: ir.Faulty, failure: Failure) -> None:
        self.edges.append(edge)
        if failure.property in self.properties:
            wrong = self._error(failure)
            self.edges.append(replace(edge, target=wrong, instruction=ir.FaultTest(instruction)))
        else:
            self._ignore(failure)

    def _unlock(self, edge: Edge, unlock: ir.Unlock, access: ir.Access) -> None:
        """An Unlock can be wrong in two ways; a read of the cell in front of it tells them apart."""
        is_checked = not self.properties.isdisjoint({Property.DEREF, Property.MISUSE})
        if is_checked and not self.lifetimes.must_be_valid(edge.source, unlock, access):
            between = next(self.locations)
            load = ir.Load(self._temporary(access.sort), replace(access, order=ir.MemoryOrder.SEQUENTIAL))
            read = replace(edge, target=between, instruction=load)
            self._with_fault(read, load, _invalid_access(edge, access))
            edge = replace(edge, source=between)
        failure = _misuse(edge, "unlock-not-held", "unlock of a mutex that the thread does not hold")
        self._with_fault(edge, unlock, failure)

    def _temporary(self, sort: Sort) -> ir.Register:
        """Where an unused value goes: one register per sort, with a name that C cannot have."""
        name = f"%unlocked.{sort}"
        found = next((r for r in self.registers if r.name == name), None)
        if found is None:
            variable = self.program.terms.var(f"{self.function.name}::{name}", sort)
            found = ir.Register(name, sort, variable, display=Display.HIDDEN)
            self.registers.append(found)
        return found


# --- in the user's words --------------------------------------------------------------------------


def _library_call(origin: Origin) -> str:
    """The user's call of a library function, if the edge stands inside one."""
    depth = origin.library_call
    return "" if depth is None else origin.calls[depth].text


_OF_EXPRESSIONS = (Property.OVERFLOW, Property.DIVISION, Property.DEREF)


def _in_the_users_words(edge: Edge, failure: Failure) -> Failure:
    """A failure inside of a library function names the call: names of our models mean nothing to users."""
    call = _library_call(edge.origin)
    if not (call and failure.subject and failure.property in _OF_EXPRESSIONS):
        return failure
    return replace(failure, subject=call, frame=IN)


def _invalid_access(edge: Edge, access: ir.Access) -> Failure:
    call = _library_call(edge.origin)
    found = Failure(Property.DEREF, INVALID_DEREFERENCE, "invalid dereference", call or access.text)
    return replace(found, frame=IN) if call else found


def _invalid_free(edge: Edge) -> Failure:
    return Failure(Property.FREE, INVALID_FREE, "invalid free", _statement(edge))


def _misuse(edge: Edge, rule: str, message: str) -> Failure:
    return Failure(Property.MISUSE, rule, message, _statement(edge))


def _statement(edge: Edge) -> str:
    return _library_call(edge.origin) or edge.origin.text
