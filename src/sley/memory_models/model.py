"""A memory model: a text in cat whose names are all known and whose sets and relations are not mixed up.

``PRELUDE`` has what every text may use besides the sets and relations of the execution itself.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from sley.base.errors import InputError
from sley.base.shown import visible
from sley.base.source import Span
from sley.memory_models.parsing import parsed, read_text
from sley.memory_models.syntax import (
    Apply,
    Axiom,
    Binding,
    Expression,
    Let,
    Name,
    Operation,
    Operator,
    Text,
)

_SETS = (
    "_ R W F A Q L RLX ACQ REL SC MFENCE SFENCE LFENCE SYNC LWSYNC EIEIO ISYNC STLD DMB.SY DMB.LD DMB.ST ISB"
)
_RELATIONS = "id int ext loc po threads rf co fr addr data ctrl rmw asw"
SETS = frozenset(_SETS.split())
RELATIONS = frozenset(_RELATIONS.split())
BASE = SETS | RELATIONS

MOST_APPLICATIONS = 10_000
"""So often may functions be applied, each in each."""


class _Kind:
    SET, RELATION, EITHER = "a set", "a relation", "empty"


@dataclass(frozen=True)
class MemoryModelText:
    """A model, ready to be asked."""

    title: str
    lets: Mapping[str, tuple[Binding, Let]]
    """What each name is, and what it is defined together with."""
    axioms: tuple[Axiom, ...]
    of_sets: frozenset[Span] = frozenset()
    """Where ``~`` is of a set."""

    def axiom(self, name: str) -> Axiom:
        """One of them."""
        return next(axiom for axiom in self.axioms if axiom.name == name)


def of_file(path: Path) -> MemoryModelText:
    """The model in a file of the user's."""
    return _checked(read_text(path), prelude())


@cache
def bundled(name: str) -> MemoryModelText:
    """One of ours."""
    return _checked(_resource(name), {} if name == "prelude" else prelude())


def prelude() -> Mapping[str, tuple[Binding, Let]]:
    """What every text may use."""
    return bundled("prelude").lets


def of_text(text: str, file: str = "text") -> MemoryModelText:
    """The model that a text is."""
    return _checked(parsed(text, file), prelude())


def _resource(name: str) -> Text:
    return parsed((files("sley.memory_models") / f"{name}.cat").read_text(), f"{name}.cat")


def _checked(text: Text, known: Mapping[str, tuple[Binding, Let]]) -> MemoryModelText:
    lets = dict(known)
    own = set[str]()
    checker = _Checker(lets)
    axioms = []
    for statement in text.statements:
        if isinstance(statement, Axiom):
            checker.must_be(statement.relation, _Kind.RELATION, {})
            axioms.append(statement)
            continue
        for binding in statement.bindings:
            if binding.name in own or binding.name in BASE:
                raise InputError(f"`{visible(binding.name)}` is defined already", binding.place)
            own.add(binding.name)
        checker.let(statement)
    of_sets = frozenset(place for place, kind in checker.complements.items() if kind == _Kind.SET)
    return MemoryModelText(text.title, lets, tuple(axioms), of_sets)


@dataclass
class _Checker:
    """Names and kinds, in the order of the text: what is used is defined before."""

    lets: dict[str, tuple[Binding, Let]]
    kinds: dict[str, str] = field(default_factory=dict)
    complements: dict[Span, str] = field(default_factory=dict)
    applications: int = 0

    def let(self, let: Let) -> None:
        if let.is_recursive:
            for binding in let.bindings:
                self.lets[binding.name] = (binding, let)
                self.kinds[binding.name] = _Kind.RELATION
            for binding in let.bindings:
                if binding.parameters:
                    raise InputError("a function that is recursive", binding.place)
                self.must_be(binding.body, _Kind.RELATION, {})
                _must_grow(binding.body, {b.name for b in let.bindings})
            return
        found = {b.name: self.kind(b.body, {}) for b in let.bindings if not b.parameters}
        for binding in let.bindings:
            self.lets[binding.name] = (binding, let)
        self.kinds |= found

    def must_be(self, expression: Expression, wanted: str, scope: Mapping[str, str]) -> None:
        found = self.kind(expression, scope)
        if found not in (wanted, _Kind.EITHER):
            raise InputError(f"{wanted} expected, and this is {found}", expression.place)

    def kind(self, expression: Expression, scope: Mapping[str, str]) -> str:
        match expression:
            case Name(name=name, place=place):
                return scope[name] if name in scope else self._of_name(name, place)
            case Apply():
                return self._of_application(expression, scope)
            case Operation(operator=operator, parts=parts):
                return self._of_operation(operator, parts, scope, expression.place)

    def _of_name(self, name: str, place: Span) -> str:
        if name in self.kinds:
            return self.kinds[name]
        if name in self.lets and not self.lets[name][0].parameters:
            self.kinds[name] = self.kind(self.lets[name][0].body, {})
            return self.kinds[name]
        if name in SETS:
            return _Kind.SET
        if name in RELATIONS:
            return _Kind.RELATION
        raise InputError(f"`{visible(name)}` is not defined", place)

    def _of_application(self, expression: Apply, scope: Mapping[str, str]) -> str:
        self.applications += 1
        binding = self.lets.get(expression.function, (None, None))[0]
        if binding is None or not binding.parameters:
            raise InputError(f"no function `{visible(expression.function)}` is defined", expression.place)
        if len(binding.parameters) != len(expression.arguments) or self.applications > MOST_APPLICATIONS:
            raise InputError(f"`{visible(binding.name)}` cannot be applied so", expression.place)
        kinds = [self.kind(argument, scope) for argument in expression.arguments]
        return self.kind(binding.body, dict(zip(binding.parameters, kinds, strict=True)))

    def _of_operation(
        self, operator: Operator, parts: tuple[Expression, ...], scope: Mapping[str, str], place: Span
    ) -> str:
        match operator:
            case Operator.UNION | Operator.INTERSECTION | Operator.DIFFERENCE | Operator.COMPLEMENT:
                kinds = [self.kind(part, scope) for part in parts]
                known = dict.fromkeys(kind for kind in kinds if kind != _Kind.EITHER)
                if len(known) > 1:
                    raise InputError(f"`{operator.value}` of a set and a relation", place)
                found = next(iter(known), _Kind.EITHER)
                if operator is Operator.COMPLEMENT and self.complements.setdefault(place, found) != found:
                    raise InputError("`~` of a set in one place, of a relation in another", place)
                return found
            case Operator.PRODUCT | Operator.IDENTITY:
                for part in parts:
                    self.must_be(part, _Kind.SET, scope)
                return _Kind.RELATION
            case Operator.EMPTY:
                return _Kind.EITHER
            case _:
                for part in parts:
                    self.must_be(part, _Kind.RELATION, scope)
                return _Kind.SET if operator is Operator.RANGE else _Kind.RELATION


def names(expression: Expression) -> Iterator[str]:
    """All names in an expression, also of functions."""
    match expression:
        case Name(name=name):
            yield name
        case Apply(function=function, arguments=arguments):
            yield function
            for argument in arguments:
                yield from names(argument)
        case Operation(parts=parts):
            for part in parts:
                yield from names(part)


def reachable(model: MemoryModelText, expression: Expression) -> Collection[str]:
    """All names that an expression rests on."""
    found: dict[str, None] = {}
    waiting = [expression]
    while waiting:
        for name in names(waiting.pop()):
            if name not in found:
                found[name] = None
                waiting += [model.lets[name][0].body] if name in model.lets else []
    return found


def _must_grow(expression: Expression, recursive: set[str]) -> None:
    """A recursive definition only has a least fixpoint if more pairs in one relation never take any away."""
    match expression:
        case Apply(arguments=arguments):
            if any(recursive & set(names(argument)) for argument in arguments):
                raise InputError("a function of what is being defined", expression.place)
        case Operation(operator=operator, parts=parts):
            taken = parts[1:] if operator is Operator.DIFFERENCE else ()
            taken = parts if operator is Operator.COMPLEMENT else taken
            if any(recursive & set(names(part)) for part in taken):
                raise InputError("what is being defined is taken away", expression.place)
            for part in parts:
                _must_grow(part, recursive)
        case Name():
            pass
