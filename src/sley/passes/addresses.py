"""Addresses are not fixed: what depends on where objects lie becomes arbitrary, or an unknown order.

C leaves open which numbers the addresses of objects and functions are, and POSIX what ids of threads are; the
interpreter has to give them some. This pass rewrites every operation whose result depends on that choice, so
that what engines then find holds for all choices.

*Kept*, because it is the same for all layouts: moving a value, choosing between values, steps from an address
that are surely small, equality and difference and order inside one object, equality with null and other
numbers up to ``NO_ADDRESS`` in magnitude, low bits below the alignment that all objects in question have.

*Order* of different objects is one total order, chosen when the program starts and never changed: a hidden
rank per object, handed on to new threads. That needs objects with one address in the whole run: static ones,
locals and blocks of the first thread that are made once and not after a ``free``. A bug that rests on an
order is a bug, because that layout exists.

*Arbitrary* is everything else: a ``Havoc`` with cause LAYOUT, as large as the term that has no other
variables and as small as its form tells; a bug that rests on it is only a possible one. Two evaluations of
one hash are not tied to each other: more runs than there are, never fewer.

Why that is right: replace the numbers of the objects by those of another layout. By induction over a run each
kept operation yields the same, or the same place in the other layout; each rewritten one can yield whatever
it yields there. So the rewritten program has every run of every layout, and what holds for it holds for all.
All this asks of ``points_to`` is that what it calls no address is none; no address survives an operation that
it does not follow, since those are the ones that are replaced.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from sley.analyses.objects import union
from sley.analyses.pointers import PointsTo, Targets
from sley.base.reasons import Reason, Why
from sley.base.source import Span
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, BitVecSort, Sort, bitvec
from sley.logic.terms import Term
from sley.passes.address_facts import AddressFacts
from sley.passes.address_order import HiddenOrder
from sley.program import instructions as ir
from sley.program.memory import Display
from sley.program.program import Edge, Function, Origin, Program
from sley.program.rewriting import read_terms, rewritten

MOST_LOW_BITS = 16
"""Masks of more bits than this are not taken apart."""

_Sides = Sequence["Targets | None"]
"""What the arguments may be the address of."""

_Rule = Callable[[tuple[Term, ...]], "Term | None"]
"""From the rewritten arguments to the rewritten term; None: arbitrary."""

_MARKS = (Op.BVADD, Op.BVXOR)
"""What makes an id of a handle, and a handle of an id."""

_WHOLE = (Op.ITE, Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.FP_FROM_BITS, Op.FP_TO_BITS)


def hide_addresses(program: Program, points_to: PointsTo) -> Program:
    """The program in which nothing depends on the numbers of objects; itself if nothing does anyway."""
    facts = AddressFacts(program, points_to)
    order = HiddenOrder(facts)
    changed: dict[str, Function] = {}
    for name, function in program.functions.items():
        made = _LayoutRewriting(facts, order, function).result()
        if made is not function:
            changed[name] = made
    if not changed:
        return program
    return order.announced(replace(program, functions={**program.functions, **changed}))


def without_id_marks(program: Program) -> Program:
    """The program without ``program.id_mark``, which is 0: ids of threads are numbers like others then."""
    terms, mark = program.terms, program.id_mark
    substitution = terms.substitution({mark: terms.bv(0, terms.width(mark))})

    def unmarked(edge: Edge) -> Edge:
        if any(terms.mentions(term, mark) for term in read_terms(edge.instruction)):
            return replace(edge, instruction=rewritten(edge.instruction, term=substitution))
        return edge

    return program.mapped(lambda function: replace(function, edges=tuple(map(unmarked, function.edges))))


@dataclass(frozen=True, slots=True)
class _ArbitraryRegister:
    """A register that gets an arbitrary value where ``unless`` does not hold."""

    register: ir.Register
    unless: Term
    text: str


class _LayoutRewriting:
    """One function: each location whose instructions depend on the layout gets its arbitrary values first."""

    def __init__(self, facts: AddressFacts, order: HiddenOrder, function: Function) -> None:
        self.facts = facts
        self.order = order
        self.terms = facts.terms
        self._no_ids = (0, (1 << facts.pointers.width) - 1)
        self.function = function
        self._rules: dict[Term, _Rule | None] = {}
        self._clean: dict[Term, bool] = {}
        self._choices: list[_ArbitraryRegister] = []
        self._loaded: Term | None = None
        self._uses: Counter[Term] = Counter()
        self._images: dict[Term, Term] = {}
        self._arbitrary: set[Term] = set()
        self._place = ""
        self._registers: dict[str, ir.Register] = {}

    def result(self) -> Function:
        """The function with all rewritten; itself if there is nothing to do."""
        edges: list[Edge] = []
        is_changed = False
        for location, out in self.function.outgoing.items():
            unknown = self._number_accessed(out)
            if unknown is not None:
                is_changed = True
                known = next(self.facts.locations)
                edges += self._given_up(location, known, out[0].origin, unknown)
                location, out = known, (replace(out[0], source=known),)
            if all(self._is_clean(term) for edge in out for term in read_terms(edge.instruction)):
                edges += out
                continue
            is_changed = True
            edges += self._rewritten(location, out)
        if not is_changed:
            return self.function
        registers = (*self.function.registers, *self._registers.values())
        return replace(self.function, edges=tuple(edges), registers=registers)

    def _number_accessed(self, out: tuple[Edge, ...]) -> Term | None:
        """The address of an access if it is surely a mere number, and nothing tells what happens then."""
        accesses = [
            edge.instruction for edge in out if isinstance(edge.instruction, ir.Load | ir.Store | ir.Update)
        ]
        if len(out) != 1 or not accesses or not self._is_clean(accesses[0].access.address):
            return None
        address = accesses[0].access.address
        held = self.facts.points_to.held_by(self.function.name, address)
        is_known = held.objects or held.is_arbitrary
        return address if not is_known and self._may_be_number(address) else None

    def _given_up(self, location: int, known: int, origin: Origin, address: Term) -> Iterator[Edge]:
        """On to ``known``, unless the address is a number where there may or may not be an object."""
        span = _user_span(origin)
        text = "memory is accessed at a number that is not derived from an address"
        give_up = ir.GiveUp(
            Reason(text, Why.NO_ADDRESS)
            if span is None
            else f"{text} ({PurePath(span.file).name}:{span.line})"
        )
        unknown, is_tiny = next(self.facts.locations), self.facts.is_tiny(address)
        yield Edge(location, known, ir.Assume(is_tiny), origin)
        yield Edge(location, unknown, ir.Assume(self.terms.not_(is_tiny)), origin)
        yield Edge(unknown, self.function.exit, give_up, origin)

    def _rewritten(self, location: int, out: tuple[Edge, ...]) -> list[Edge]:
        self._choices, self._images, self._arbitrary = [], {}, set()
        origin = out[0].origin
        span = _user_span(origin)
        self._place = "" if span is None else f" ({PurePath(span.file).name}:{span.line})"
        self._loaded = next(
            (e.instruction.target.term for e in out if isinstance(e.instruction, ir.Update)), None
        )
        self._uses = self._counted(out)
        made = [replace(edge, instruction=rewritten(edge.instruction, term=self.image)) for edge in out]
        chain: list[Edge] = []
        at = location
        for choice in self._choices:
            after = next(self.facts.locations)
            chain += self._chosen_at(at, after, choice, origin)
            at = after
        return [*chain, *(replace(edge, source=at) for edge in made)]

    def _counted(self, out: tuple[Edge, ...]) -> Counter[Term]:
        """How often each term is an argument of others, or used for itself."""
        roots = [term for edge in out for term in read_terms(edge.instruction)]
        uses = Counter(arg for part in self.terms.walk(roots) for arg in self.terms.args(part))
        return uses + Counter(set(roots))

    def _chosen_at(self, at: int, after: int, choice: "_ArbitraryRegister", origin: Origin) -> Iterator[Edge]:
        """An arbitrary value, or 0 where it is not needed: then the run does not rest on it."""
        havoc = ir.Havoc(choice.register, ir.Cause.LAYOUT, choice.text)
        if choice.unless == self.terms.false:
            yield Edge(at, after, havoc, origin)
            return
        sort = choice.register.sort
        zero = self.terms.false if sort == BOOL else self.terms.const(0, sort)
        needed, unneeded = next(self.facts.locations), next(self.facts.locations)
        yield Edge(at, unneeded, ir.Assume(choice.unless), origin)
        yield Edge(at, needed, ir.Assume(self.terms.not_(choice.unless)), origin)
        yield Edge(unneeded, after, ir.Assign(((choice.register, zero),)), origin)
        yield Edge(needed, after, havoc, origin)

    # --- which terms ------------------------------------------------------------------------------

    def _is_clean(self, term: Term) -> bool:
        """Whether nothing in the term is rewritten."""
        clean = self._clean
        stack = [term]
        while stack:
            top = stack[-1]
            if top in clean:
                stack.pop()
                continue
            inner = self._inner(top)
            missing = [part for part in inner if part not in clean]
            if missing:
                stack.extend(missing)
                continue
            clean[top] = all(clean[part] for part in inner) and self._rule(top) is None
        return clean[term]

    def _inner(self, term: Term) -> tuple[Term, ...]:
        """The arguments, or those of the sum in ``in range ? p + i : wild``, which is no sum of its own."""
        args = self.terms.args(term)
        guarded = self._guarded_sum(term)
        return args if guarded is None else (args[0], *self.terms.args(guarded))

    def _guarded_sum(self, term: Term) -> Term | None:
        if self.terms.op(term) is not Op.ITE:
            return None
        _, then, otherwise = self.terms.args(term)
        for branch, other in ((then, otherwise), (otherwise, then)):
            is_wild = self.terms.number(other) == self.facts.pointers.wild
            if is_wild and self.terms.op(branch) in (Op.BVADD, Op.BVSUB) and self._is_wide(term):
                targets = self.facts.points_to.held_by(self.function.name, term)
                sides = [self._targets(arg) for arg in self.terms.args(branch)]
                is_plain = all(side is None or not side.is_computed for side in sides)
                if not targets.is_computed or not is_plain:
                    return branch
        return None

    def image(self, term: Term) -> Term:
        """The term with all that depends on the layout replaced."""
        images = self._images
        stack = [term]
        while stack:
            top = stack[-1]
            if top in images:
                stack.pop()
                continue
            if self._is_clean(top):
                images[top] = top
                continue
            missing = [part for part in self._inner(top) if part not in images]
            if missing:
                stack.extend(missing)
                continue
            made = self._made(top)
            if made is None:
                self._arbitrary.add(top)
                images[top] = top
            else:
                images[top] = made
        return self._value(term)

    def _made(self, term: Term) -> Term | None:
        """The image of a term whose parts have theirs; None if it is arbitrary."""
        terms = self.terms
        guarded = self._guarded_sum(term)
        if guarded is not None:
            condition, then, otherwise = terms.args(term)
            parts = tuple(self._value(arg) for arg in terms.args(guarded))
            total = terms.make(terms.op(guarded), parts)
            condition = self._value(condition)
            return (
                terms.ite(condition, total, otherwise)
                if then == guarded
                else terms.ite(condition, then, total)
            )
        args = terms.args(term)
        rule = self._rule(term)
        if rule is not None:
            return rule(tuple(self._value(arg) for arg in args))
        is_arbitrary = all(arg in self._arbitrary or terms.is_const(arg) for arg in args)
        if is_arbitrary and not any(self._uses[arg] > 1 for arg in args if arg in self._arbitrary):
            return None  # what is used twice is chosen once
        return terms.make(terms.op(term), tuple(self._value(arg) for arg in args), terms.payload(term))

    def _value(self, term: Term) -> Term:
        """The image of a term as a value: an arbitrary one gets its register."""
        if term in self._arbitrary:
            self._arbitrary.discard(term)
            self._images[term] = self._chosen(term)
        return self._images[term]

    def _chosen(self, term: Term, unless: Term | None = None) -> Term:
        """An arbitrary value in the bounds that the form of the term tells."""
        terms, sort, objects = self.terms, self.terms.sort(term), self._involved(term)
        if not isinstance(sort, BitVecSort):
            return self._fresh(sort, objects, unless)
        low, high, _, _ = self.facts.ranges.fact(term)
        bits = high.bit_length()
        if low < 0 or bits == sort.width:
            return self._fresh(sort, objects, unless)
        if bits == 0:
            return terms.bv(0, sort.width)
        value = self._fresh(bitvec(bits), objects, unless)
        if high & (high + 1):
            value = terms.ite(terms.ule(value, terms.bv(high, bits)), value, terms.bv(low, bits))
        return terms.zero_extend(value, sort.width - bits)

    def _involved(self, term: Term) -> int:
        objects = 0
        for part in self.terms.walk((term,)):
            targets = self._targets(part)
            objects |= 0 if targets is None else targets.objects
        return objects

    def _fresh(self, sort: Sort, objects: int, unless: Term | None = None) -> Term:
        """A register with an arbitrary value, chosen in front of the location unless that is not needed.

        Each location uses the registers anew.
        """
        same = sum(choice.register.sort == sort for choice in self._choices)
        name = f"layout.{sort}.{same}".replace(" ", "")
        register = self._registers.get(name)
        if register is None:
            variable = self.terms.var(f"{self.function.name}::{name}", sort)
            register = self._registers[name] = ir.Register(name, sort, variable, display=Display.HIDDEN)
        if unless is not None and self._loaded is not None and self.terms.mentions(unless, self._loaded):
            unless = None  # not known before the step
        text = self.facts.unknown(objects) + self._place
        self._choices.append(
            _ArbitraryRegister(register, self.terms.false if unless is None else unless, text)
        )
        return register.term

    def _is_wide(self, term: Term) -> bool:
        return self.facts.points_to.is_wide(self.terms.sort(term))

    def _targets(self, term: Term) -> Targets | None:
        """What a term may be the address of; None if it is surely no address."""
        if not isinstance(self.terms.sort(term), BitVecSort) or not self._is_wide(term):
            return None
        targets = self.facts.points_to.held_by(self.function.name, term)
        return targets if targets.objects else None

    # --- the rules --------------------------------------------------------------------------------

    def _rule(self, term: Term) -> _Rule | None:
        """How the operation at the top is rewritten; None if it is the same in every layout."""
        if term not in self._rules:
            rule = self._find_rule(term)
            self._rules[term] = self._unless_numbers(term) if rule is _any else rule
        return self._rules[term]

    def _unless_numbers(self, term: Term) -> _Rule:
        """Anything, but not where all arguments happen to be numbers that are too small to be addresses."""
        terms, facts, args = self.terms, self.facts, self.terms.args(term)
        sides = [self._targets(arg) for arg in args]
        known = [side for side in sides if side is not None]
        are_addresses = not all(side.is_number or side.is_computed for side in known)
        is_wider = any(self._is_wide(arg) and terms.sort(arg) != facts.sort for arg in args)
        if are_addresses or is_wider or any(facts.is_id(side) for side in known):
            return _any

        def rule(images: tuple[Term, ...]) -> Term:
            sure = self._are_numbers(images, sides)
            native = terms.make(terms.op(term), images, terms.payload(term))
            return terms.ite(sure, native, self._chosen(term, unless=sure))

        return rule

    def _find_rule(self, term: Term) -> _Rule | None:
        terms = self.terms
        args = terms.args(term)
        sides = [self._targets(arg) for arg in args]
        known = [side for side in sides if side is not None]
        if not known or self._guarded_sum(term) is not None:
            return None
        op = terms.op(term)
        if op in _WHOLE or (op in _MARKS and self.facts.program.id_mark in args):
            return None
        if any(self.facts.is_id(side) for side in known):
            return self._on_ids(term, sides)
        if any(self._is_wide(arg) and terms.sort(arg) != self.facts.sort for arg in args):
            return self._extract(term, known[0]) if op is Op.EXTRACT else _any
        match op:
            case Op.EQ:
                return self._equality(args, sides)
            case Op.BVULT | Op.BVULE | Op.BVSLT | Op.BVSLE:
                return self._comparison(op, args, sides)
            case Op.BVADD | Op.BVSUB | Op.SADDO | Op.SSUBO:
                return self._sum(op, args, sides)
            case Op.BVAND | Op.BVOR | Op.BVXOR:
                return self._bitwise(op, args, sides)
            case Op.BVUREM:
                return self._remainder(args, sides)
            case Op.BVSREM:
                return self._signed_remainder(args, sides)
            case Op.EXTRACT:
                return self._extract(term, known[0])
            case _:
                return _any

    def _are_numbers(self, images: tuple[Term, ...], sides: _Sides) -> Term:
        """What may be addresses are mere numbers, as their size tells."""
        may_be = [(image, side) for image, side in zip(images, sides, strict=True) if side is not None]
        if not all(side.is_number or side.is_computed for _, side in may_be):
            return self.terms.false
        return self.terms.and_(*(self.terms.not_(self.facts.is_object(image)) for image, _ in may_be))

    def _mixed(self, sure: Term, native: Term, objects: int) -> Term:
        """``native`` where that is ``sure`` to be right, else an arbitrary value."""
        if sure == self.terms.true:
            return native
        unsure = self._fresh(self.terms.sort(native), objects, unless=sure)
        return self.terms.ite(sure, native, unsure)

    def _may_be_number(self, term: Term) -> bool:
        """Whether the term may be a number that is no address of ours, but may happen to be one."""
        held = self.facts.points_to.held_by(self.function.name, term)
        value = self.terms.number(term)
        if value is not None:
            return not held.objects and self.facts.is_guess(value)
        return held.is_number

    def _equality(self, args: tuple[Term, ...], sides: _Sides) -> _Rule | None:
        """Different addresses are different, unless one is behind the end of its object or a mere number."""
        terms, facts = self.terms, self.facts
        numbers = [self._may_be_number(arg) for arg in args]
        outside = [side is not None and facts.may_be_outside(side) for side in sides]
        one, other = sides
        are_addresses = one is not None and other is not None
        if not any(numbers) and (not are_addresses or not any(outside) or facts.is_same_object(one, other)):
            return None

        def rule(images: tuple[Term, ...]) -> Term:
            a, b = images
            sure = [facts.is_tiny(a), facts.is_tiny(b), self._are_numbers(images, sides)]
            if are_addresses:
                inside = [
                    facts.is_inside(image, side)
                    for image, side, is_needed in zip(images, sides, outside, strict=True)
                    if is_needed and side is not None
                ]
                known = [
                    facts.is_object(i) for i, is_needed in zip(images, numbers, strict=True) if is_needed
                ]
                sure += [facts.is_near(terms.sub(a, b)), terms.and_(*inside, *known)]
            return self._mixed(terms.or_(*sure), terms.eq(a, b), _objects(sides))

        return rule

    def _comparison(self, op: Op, args: tuple[Term, ...], sides: _Sides) -> _Rule | None:
        """Objects have an order that is not known; numbers that are no addresses lie on either side."""
        terms, facts = self.terms, self.facts
        one, other = sides
        if facts.is_same_object(one, other):
            return None
        is_signed = op in (Op.BVSLT, Op.BVSLE)

        def rule(images: tuple[Term, ...]) -> Term:
            a, b = images
            native = terms.apply(op, a, b)
            tiny = facts.is_tiny(a), facts.is_tiny(b)
            sure = terms.and_(*tiny) if is_signed else terms.or_(*tiny)
            sure = terms.or_(sure, self._are_numbers(images, sides))
            if one is None or other is None:
                if is_signed and any(facts.is_at_the_end(arg) for arg in args):
                    zero = terms.bv(0, terms.width(a))
                    usual = terms.apply(op, zero if one else a, zero if other else b)
                    return terms.ite(facts.is_object(a if one else b), usual, native)
                return self._mixed(sure, native, _objects(sides))
            sure = terms.or_(sure, facts.is_near(terms.sub(a, b)))
            if is_signed:
                return self._mixed(sure, native, _objects(sides))
            known, below = self.order.compared(self.function.name, images, (one, other))
            if self.order.covers(one) and self.order.covers(other):
                return terms.ite(sure, native, below)
            inner = self._mixed(terms.or_(sure, known), below, _objects(sides))
            return terms.ite(sure, native, inner)

        return rule

    def _sum(self, op: Op, args: tuple[Term, ...], sides: _Sides) -> _Rule | None:
        """A small step from an address, or the distance of two addresses in one object."""
        terms, facts = self.terms, self.facts
        one, other = sides
        is_difference = op in (Op.BVSUB, Op.SSUBO)
        is_check = op in (Op.SADDO, Op.SSUBO)
        is_small = [facts.ranges.is_within(arg, facts.pointers.largest_object) for arg in args]
        is_step = is_small[1] or (is_small[0] and not is_difference)
        is_inside = (
            is_difference and one is not None and other is not None and facts.is_same_object(one, other)
        )
        if not is_check and (is_step or is_inside):
            return None

        def rule(images: tuple[Term, ...]) -> Term:
            a, b = images
            are_numbers = self._are_numbers(images, sides)
            sure = [facts.is_small(b), are_numbers]
            if not is_difference:
                sure.append(facts.is_small(a))
            elif one is not None and other is not None:
                sure.append(facts.is_near(terms.sub(a, b)))
            native = terms.make(op, images)
            if is_check:  # no object lies across the end of the numbers
                is_plain = terms.or_(are_numbers, terms.and_(facts.is_small(a), facts.is_small(b)))
                native = terms.and_(is_plain, native)
            return self._mixed(terms.or_(*sure), native, _objects(sides))

        return rule

    def _bitwise(self, op: Op, args: tuple[Term, ...], sides: _Sides) -> _Rule | None:
        """Low bits: those below the alignment are known, others up to some number are taken apart."""
        if all(side is not None for side in sides):
            return _any
        terms, facts = self.terms, self.facts
        at = 0 if sides[0] is not None else 1
        targets = sides[at]
        assert targets is not None
        width = terms.width(args[0])
        low, high, _, _ = facts.ranges.fact(args[1 - at])
        clears = op is Op.BVAND and low == high and low < 0
        most = ~low if clears else high
        if (low < 0 and not clears) or most.bit_length() > MOST_LOW_BITS:
            return _any
        if most < facts.alignment(targets):
            return None

        def rule(images: tuple[Term, ...]) -> Term:
            address, mask = images[at], images[1 - at]
            if clears:
                return terms.sub(address, self._low(address, targets, terms.bvnot(mask), most))
            common = self._low(address, targets, mask, most)
            if op is Op.BVAND:
                return common
            times = terms.bv(1 if op is Op.BVOR else 2, width)
            return terms.sub(terms.add(address, mask), terms.mul(times, common))

        return rule

    def _low(self, address: Term, targets: Targets, mask: Term, most: int) -> Term:
        """Those low bits of an address that are in a mask, which is at most ``most``."""
        terms, known = self.terms, self.facts.alignment(targets).bit_length() - 1
        bits = most.bit_length() - known
        chosen = self._fresh(bitvec(bits), targets.objects, unless=self.facts.is_tiny(address))
        start = terms.concat(chosen, terms.bv(0, known)) if known else chosen
        start = terms.zero_extend(start, terms.width(address) - bits - known)
        return terms.apply(Op.BVAND, terms.add(address, start), mask)

    def _remainder(self, args: tuple[Term, ...], sides: _Sides) -> _Rule | None:
        """By a power of two it is the low bits."""
        divisor, targets = self.terms.number(args[1]), sides[0]
        if targets is None or divisor is None or divisor.bit_count() != 1:
            return _any
        if divisor <= self.facts.alignment(targets):
            return None
        if divisor > 1 << MOST_LOW_BITS:
            return _any
        mask = self.terms.bv(divisor - 1, self.terms.width(args[0]))
        return lambda images: self._low(images[0], targets, mask, divisor - 1)

    def _signed_remainder(self, args: tuple[Term, ...], sides: _Sides) -> _Rule | None:
        """As the remainder; if that is not 0, its sign is that of the address, which is not known."""
        terms, inner = self.terms, self._remainder(args, sides)
        targets = sides[0]
        if inner is _any or targets is None:
            return _any

        def rule(images: tuple[Term, ...]) -> Term:
            address, divisor = images
            low = terms.apply(Op.BVUREM, address, divisor) if inner is None else inner(images)
            assert low is not None
            is_plain = terms.or_(self.facts.is_tiny(address), terms.eq(low, terms.sub(low, low)))
            native = terms.apply(Op.BVSREM, address, divisor)
            native = terms.ite(self.facts.is_tiny(address), native, low)
            is_negative = self._fresh(BOOL, targets.objects, unless=is_plain)
            return terms.ite(is_plain, native, terms.ite(is_negative, terms.sub(low, divisor), low))

        return rule

    def _extract(self, term: Term, targets: Targets) -> _Rule | None:
        terms, pointers = self.terms, self.facts.pointers
        payload = terms.payload(term)
        assert isinstance(payload, tuple)
        high, low = payload
        is_whole = low == 0 and high + 1 >= pointers.width
        is_ours = (high, low) in (pointers.object_bits, pointers.place_bits)
        if is_whole or is_ours or (low == 0 and 1 << (high + 1) <= self.facts.alignment(targets)):
            return None
        if low > 0 or high >= MOST_LOW_BITS:
            return _any
        width = terms.width(terms.args(term)[0])
        most = (1 << (high + 1)) - 1
        return lambda images: terms.extract(
            self._low(images[0], targets, terms.bv(most, width), most), high, 0
        )

    # ids of threads

    def _on_ids(self, term: Term, sides: _Sides) -> _Rule | None:
        """Ids can be compared with each other, and with 0 and -1, which stand for none."""
        terms, op = self.terms, self.terms.op(term)
        args = terms.args(term)
        if op is Op.EXTRACT:
            payload = terms.payload(term)
            assert isinstance(payload, tuple)
            is_whole = payload[1] == 0 and payload[0] + 1 >= self.facts.pointers.width
            return None if is_whole else _any
        if op is Op.BVADD:
            return self._step_unless_id(args, sides)
        if op is not Op.EQ:
            return _any
        numbers = [arg for arg, side in zip(args, sides, strict=True) if side is None]
        if any(terms.number(arg) in self._no_ids for arg in numbers):
            return None
        if not numbers and not self.facts.reuses_ids:
            return None

        def rule(images: tuple[Term, ...]) -> Term:
            sure = [terms.eq(image, terms.bv(0, terms.width(image))) for image in images]
            equal = terms.eq(*images)
            if not numbers:
                sure.append(equal)
            return self._mixed(terms.or_(*sure), equal, _objects(sides))

        return rule

    def _step_unless_id(self, args: tuple[Term, ...], sides: _Sides) -> _Rule:
        """A small step from what may be an id, by what the analysis knows, where it turns out to be none."""
        terms, facts = self.terms, self.facts
        steps = [arg for arg, side in zip(args, sides, strict=True) if side is None]
        if len(steps) != 1 or not facts.ranges.is_within(steps[0], facts.pointers.largest_object):
            return _any
        start = 1 - args.index(steps[0])

        def rule(images: tuple[Term, ...]) -> Term:
            return self._mixed(facts.is_object(images[start]), terms.add(*images), _objects(sides))

        return rule


def _any(_: tuple[Term, ...]) -> None:
    """Anything: the operation depends on the number of the object."""


def _objects(sides: _Sides) -> int:
    return union(side.objects for side in sides if side is not None)


def _user_span(origin: Origin) -> Span | None:
    """Where the user's code is, or calls the library."""
    depth = origin.library_call
    return origin.span if depth is None else origin.calls[depth].span
