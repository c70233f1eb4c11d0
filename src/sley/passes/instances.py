"""A local object that is made anew while its former address is around gets a second place to live at.

The objects of a template have fixed addresses, so a pointer to the variable of one round of a loop would
lead to that of the next. In C it leads nowhere, and whether it equals the new address is unspecified
(6.2.4p2). So where ``outliving`` finds that such a pointer may be left over, each instance lives at one of
two addresses, as it pleases: whichever instance a left-over pointer meant, in some run no other one lives
where it did, and in some run the next one does.

Nor does anybody know whether the address of an object that has ended equals that of another local object; so
where both are compared, the outcome is chosen.

A jump back over a declaration inside its block makes no new instance: the variable goes on living, and only
its value is lost (6.2.4p6).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sley.logic.sorts import BOOL, Sort
from sley.logic.terms import Substitution, Term
from sley.passes.outliving import Outliving, equalities, lives_of
from sley.program import instructions as ir
from sley.program.memory import AddressOf, Display, MemoryObject
from sley.program.program import Edge, Function, Origin, Program
from sley.program.rewriting import rewritten

Comparisons = dict[int, dict[Term, list[tuple[Term, MemoryObject]]]]
"""What ``Outliving.comparisons`` finds."""


def separate_instances(program: Program) -> Program:
    """The flat program in which no left-over pointer must lead to a later instance of its object."""
    locations = program.fresh_locations()
    return program.mapped(lambda function: _separated(program, function, locations))


def _separated(program: Program, function: Function, locations: Iterator[int]) -> Function:
    lives = lives_of(function)
    is_renewing = any(_is_renewed(function, lives, edge) for edge in function.edges)
    if not is_renewing and next(equalities(program, function, lives), None) is None:
        return function
    outliving = Outliving(program, function, lives)
    objects, comparisons = list(outliving.found()), outliving.comparisons()
    if not objects and not comparisons:
        return function
    return _Separation(program, function, locations, lives, objects, comparisons).run()


def _is_renewed(function: Function, lives: dict[int, tuple[int, int]], edge: Edge) -> bool:
    """Whether an object is made here that may be gone before."""
    if not isinstance(edge.instruction, ir.Enter) or edge.source not in lives:
        return False
    return bool(lives[edge.source][1] >> function.objects.index(edge.instruction.object) & 1)


@dataclass(frozen=True, slots=True)
class _InstanceSlots:
    """Where the instances of an object live."""

    one: MemoryObject
    other: MemoryObject
    address: ir.Register
    """Where the last one lives, or lived."""
    is_living: ir.Register | None
    """Whether it does, if a declaration may be met while its object lives."""


class _Separation:
    """One function."""

    def __init__(
        self,
        program: Program,
        function: Function,
        locations: Iterator[int],
        lives: dict[int, tuple[int, int]],
        objects: list[MemoryObject],
        comparisons: Comparisons,
    ) -> None:
        self._terms = program.terms
        self._bits = program.pointers.object_bits
        self._function = function
        self._locations = locations
        self._lives = lives
        self._registers = list(function.registers)
        self._edges: list[Edge] = []
        self._comparisons = comparisons
        self._equal = [
            self._register(f"%equal.{i}", BOOL) for i in range(max(map(len, comparisons.values()), default=0))
        ]
        self._other = self._register("%instance", BOOL)
        met_alive = {
            edge.instruction.object.name
            for edge in function.edges
            if isinstance(edge.instruction, ir.Enter) and self._may_live(edge)
        }
        self._places = {o.name: self._places_of(o, met_alive) for o in objects}

    def _may_live(self, edge: Edge) -> bool:
        assert isinstance(edge.instruction, ir.Enter)
        living, _ = self._lives.get(edge.source, (0, 0))
        return bool(living >> self._function.objects.index(edge.instruction.object) & 1)

    def _places_of(self, one: MemoryObject, met_alive: set[str]) -> _InstanceSlots:
        name, sort = f"{one.name}%2", self._terms.sort(one.address)
        other = replace(one, name=name, address=self._terms.var(AddressOf(name), sort))
        address = self._register(f"{one.name}%address", sort)
        is_living = self._register(f"{one.name}%lives", BOOL) if one.name in met_alive else None
        return _InstanceSlots(one, other, address, is_living)

    def _register(self, name: str, sort: Sort) -> ir.Register:
        variable = self._terms.var(f"{self._function.name}::{name}", sort)
        made = ir.Register(name, sort, variable, display=Display.HIDDEN)
        self._registers.append(made)
        return made

    def run(self) -> Function:
        """The function with two places for each of the objects."""
        function, places = self._function, self._places
        addresses = self._terms.substitution({p.one.address: p.address.term for p in places.values()})
        entry = next(self._locations)
        self._edge(entry, function.entry, ir.Assign(tuple(self._first_values())), self._origin())
        unknown = {at: self._unknown(at, addresses) for at in self._comparisons}
        for edge in function.edges:
            match edge.instruction:
                case ir.Enter(object=made, is_zeroed=is_zeroed) if made.name in places:
                    self._enter(edge, places[made.name], is_zeroed=is_zeroed)
                case ir.Leave(object=left) if left.name in places:
                    self._leave(edge, places[left.name])
                case instruction:
                    source = edge.source
                    instruction = rewritten(instruction, term=addresses)
                    if source in unknown:
                        source, chosen = unknown[source]
                        instruction = rewritten(instruction, term=chosen)
                    self._edge(source, edge.target, instruction, edge.origin)
        return replace(
            function,
            entry=entry,
            edges=tuple(self._edges),
            registers=tuple(self._registers),
            objects=(*function.objects, *(p.other for p in places.values())),
        )

    def _origin(self) -> Origin:
        return self._function.outgoing[self._function.entry][0].origin

    def _unknown(self, location: int, addresses: Substitution) -> tuple[int, Substitution]:
        """Choose what comparisons yield if one side has ended; where to go on, and with which terms."""
        terms, origin = self._terms, self._function.outgoing[location][0].origin
        mapping: dict[Term, Term] = {}
        for register, (term, pairs) in zip(self._equal, self._comparisons[location].items(), strict=False):
            is_equal = addresses(term)
            is_over = terms.or_(*(self._is_in(addresses(side), obj) for side, obj in pairs))
            is_unknown = terms.and_(terms.not_(is_equal), is_over)
            mapping[is_equal] = terms.ite(is_unknown, register.term, is_equal)
            names = " or ".join(dict.fromkeys(f"`{obj.c_name}`" for _, obj in pairs if obj.c_name))
            text = f"another variable lives where {names or 'one that is gone'} lived"
            unknown, known = self._branch(location, is_unknown, origin)
            location = next(self._locations)
            self._edge(unknown, location, ir.Havoc(register, ir.Cause.INPUT, text), origin)
            self._edge(known, location, ir.Assign(((register, terms.false),)), origin)
        return location, terms.substitution(mapping)

    def _is_in(self, pointer: Term, obj: MemoryObject) -> Term:
        """Whether a pointer points into an object, or just behind it."""
        terms, bits = self._terms, self._bits
        places = self._places.get(obj.name)
        return terms.or_(
            *(
                terms.eq(terms.extract(pointer, *bits), terms.extract(made.address, *bits))
                for made in ((obj,) if places is None else (places.one, places.other))
            )
        )

    def _first_values(self) -> Iterator[tuple[ir.Register, Term]]:
        for places in self._places.values():
            yield places.address, self._terms.const(0, places.address.sort)
            if places.is_living is not None:
                yield places.is_living, self._terms.false

    # --- edges ------------------------------------------------------------------------------------

    def _edge(self, source: int, target: int, instruction: ir.Instruction, origin: Origin) -> None:
        self._edges.append(Edge(source, target, instruction, origin))

    def _branch(self, source: int, condition: Term, origin: Origin) -> tuple[int, int]:
        """Where a condition leads that is none of the user's business: if it holds, and if not."""
        hidden = replace(origin, is_library=True)
        yes, no = next(self._locations), next(self._locations)
        self._edge(source, yes, ir.Assume(condition), hidden)
        self._edge(source, no, ir.Assume(self._terms.not_(condition)), hidden)
        return yes, no

    def _is_at_one(self, places: _InstanceSlots) -> Term:
        return self._terms.eq(places.address.term, places.one.address)

    def _enter(self, edge: Edge, places: _InstanceSlots, *, is_zeroed: bool) -> None:
        start, origin = edge.source, edge.origin
        if places.is_living is not None and self._may_live(edge):
            again, start = self._branch(start, places.is_living.term, origin)
            for location, made in zip(
                self._branch(again, self._is_at_one(places), origin), (places.one, places.other), strict=True
            ):
                self._edge(location, edge.target, ir.Enter(made, is_zeroed), origin)
        choice = next(self._locations)
        self._edge(start, choice, ir.Havoc(self._other, ir.Cause.INPUT), replace(origin, is_library=True))
        for location, made in zip(
            self._branch(choice, self._other.term, origin), (places.other, places.one), strict=True
        ):
            made_at = next(self._locations)
            self._edge(location, made_at, ir.Enter(made, is_zeroed), origin)
            known = [(places.address, made.address)]
            if places.is_living is not None:
                known.append((places.is_living, self._terms.true))
            self._edge(made_at, edge.target, ir.Assign(tuple(known)), origin)

    def _leave(self, edge: Edge, places: _InstanceSlots) -> None:
        origin, end = edge.origin, edge.target
        if places.is_living is not None:
            end = next(self._locations)
            self._edge(end, edge.target, ir.Assign(((places.is_living, self._terms.false),)), origin)
        for location, left in zip(
            self._branch(edge.source, self._is_at_one(places), origin),
            (places.one, places.other),
            strict=True,
        ):
            self._edge(location, end, ir.Leave(left), origin)
