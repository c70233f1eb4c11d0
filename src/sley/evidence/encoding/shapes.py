"""How values of a type become JSON, derived from the type.

Everything that consists of parts (a tuple, a set, a mapping, a record) is a *node*: the list of its parts, in
a table, where equal ones are shared. A part is a number, a truth value, a text, nothing, the number of
a term, or that of a node, which comes earlier in the table. Which of these a number is, the type says. Where
the type leaves a choice, a part that is no plain number, text or nothing is a pair: the position of its type
among those possible, and the part.

Reading takes nothing on trust: what does not fit the type exactly is a ``DamagedError``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from sley.base.persistent import WIDTH, PersistentTable, Vector
from sley.evidence.encoding.anything import ANYTHING
from sley.logic.sorts import BOOL, F32, F64, F80, ArraySort, BitVecSort, BoolSort, FloatSort, Sort, bitvec
from sley.logic.terms import Term
from sley.semantics.state import Block

Raw = Any
"""JSON, with tuples for lists."""


class DamagedError(Exception):
    """What was read is not what should be there."""


class NodeWriter(ABC):
    """Where nodes and terms go."""

    @abstractmethod
    def node(self, shape: "TypeShape", value: object, parts: Callable[[], Iterable[Raw]]) -> int:
        """The number of the node of a value; its parts are asked for if it is a new one."""

    @abstractmethod
    def term(self, term: Term) -> int:
        """The number of a term."""


class NodeReader(ABC):
    """Where nodes and terms come from."""

    @abstractmethod
    def node(self, shape: "TypeShape", raw: Raw, build: Callable[[list[Raw]], Any]) -> Any:
        """The value of the node with this number, built of its parts."""

    @abstractmethod
    def term(self, raw: Raw) -> Term:
        """The term with this number."""


class TypeShape(ABC):
    """A type as seen here."""

    standing: frozenset[type] = frozenset()
    """The types of its values that stand for themselves: numbers, texts, nothing."""

    @abstractmethod
    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """A value as a part."""

    @abstractmethod
    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """The value of a part."""

    @abstractmethod
    def accepts(self, value: object) -> bool:
        """Whether this may be a value of the type; enough to choose between several."""


@dataclass(frozen=True)
class PlainShape(TypeShape):
    """Numbers, truth values, texts, nothing."""

    kind: type

    def __post_init__(self) -> None:
        object.__setattr__(self, "standing", frozenset({self.kind}))

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """Itself."""
        assert self.accepts(value), f"{value!r} is no {self.kind.__name__}"
        return value

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """Itself."""
        if not self.accepts(raw):
            raise DamagedError(f"{_shown(raw)} is no {_WORDS[self.kind]}")
        return raw

    def accepts(self, value: object) -> bool:
        """A truth value is no number here."""
        return type(value) is self.kind


_WORDS = {int: "number", bool: "truth value", str: "text", NoneType: "null"}


@dataclass(frozen=True)
class Named(TypeShape):
    """A closed set of values with names: an enumeration, or the sorts."""

    kind: str
    by_name: Callable[[str], object | None]
    name_of: Callable[[Any], str]
    is_one: Callable[[object], bool]

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """The name."""
        return self.name_of(value)

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """The value of that name."""
        found = self.by_name(raw) if isinstance(raw, str) else None
        if found is None:
            raise DamagedError(f"{_shown(raw)} is no {self.kind}")
        return found

    def accepts(self, value: object) -> bool:
        """One of them."""
        return self.is_one(value)


class OfTerm(TypeShape):
    """A term."""

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """Its number."""
        return writer.term(value)

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """The term of that number."""
        return reader.term(raw)

    def accepts(self, value: object) -> bool:
        """Terms are numbers; no type has a choice between the two."""
        return type(value) is int


@dataclass(eq=False)
class Many(TypeShape):
    """A tuple or a set of any length, with parts of one type."""

    make: type[tuple[Any, ...]] | type[frozenset[Any]]
    part: TypeShape

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """Sets in order, so that the same is always written the same."""

        def parts() -> Iterable[Raw]:
            ordered = sorted(value) if isinstance(value, frozenset) else value
            if self.part.standing.issuperset(map(type, ordered)):  # as most are
                return ordered
            return [self.part.write(writer, one) for one in ordered]

        return writer.node(self, value, parts)

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """All parts."""

        def build(parts: list[Raw]) -> Any:
            if self.part.standing.issuperset(map(type, parts)):
                return self.make(parts)
            return self.make([self.part.read(reader, one) for one in parts])

        return reader.node(self, raw, build)

    def accepts(self, value: object) -> bool:
        """No record, which may be a tuple, too."""
        return type(value) is self.make


@dataclass(eq=False)
class Long(TypeShape):
    """A long sequence: a node of the nodes of its leaves, which many share."""

    leaf: Many

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """Its leaves."""
        return writer.node(self, value, lambda: [self.leaf.write(writer, leaf) for leaf in value.leaves()])

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """Leaves that are as long as they should be."""

        def build(parts: list[Raw]) -> Vector[Any]:
            leaves = [self.leaf.read(reader, one) for one in parts]
            lengths = [len(leaf) for leaf in leaves]
            if any(length != WIDTH for length in lengths[:-1]) or not 0 < sum(lengths[-1:]) <= WIDTH:
                raise DamagedError("a leaf of another length")
            return Vector.joined(leaves)

        return reader.node(self, raw, build)

    def accepts(self, value: object) -> bool:
        """Any of them."""
        return isinstance(value, Vector)


@dataclass(eq=False)
class Pairs(TypeShape):
    """A mapping."""

    make: Callable[[Iterable[tuple[Any, Any]]], Mapping[Any, Any]]
    key: TypeShape
    value: TypeShape

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """Keys and values in turn."""

        def parts() -> Iterable[Raw]:
            for key, one in value.items():
                yield self.key.write(writer, key)
                yield self.value.write(writer, one)

        return writer.node(self, value, parts)

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """No key twice."""

        def build(parts: list[Raw]) -> Mapping[Any, Any]:
            keys = [self.key.read(reader, one) for one in parts[::2]]
            values = [self.value.read(reader, one) for one in parts[1::2]]
            if len(keys) != len(values) or len(set(keys)) < len(keys):
                raise DamagedError("a key twice, or without a value")
            return self.make(zip(keys, values, strict=True))

        return reader.node(self, raw, build)

    def accepts(self, value: object) -> bool:
        """Any mapping."""
        return isinstance(value, Mapping)


@dataclass(eq=False)
class Record(TypeShape):
    """A class with fields, or a tuple of a fixed length."""

    make: Callable[..., Any]
    kind: type
    names: tuple[str, ...]
    """Of the fields; of a tuple, none."""
    parts: tuple[TypeShape, ...]

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """All fields in order."""

        def parts() -> Iterable[Raw]:
            own = [getattr(value, name) for name in self.names] if self.names else value
            return [shape.write(writer, one) for shape, one in zip(self.parts, own, strict=True)]

        return writer.node(self, value, parts)

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """All fields, and no more."""

        def build(parts: list[Raw]) -> Any:
            if len(parts) != len(self.parts):
                raise DamagedError(
                    f"{len(parts)} parts of a {self.kind.__name__} instead of {len(self.parts)}"
                )
            return self.make(*(shape.read(reader, one) for shape, one in zip(self.parts, parts, strict=True)))

        return reader.node(self, raw, build)

    def accepts(self, value: object) -> bool:
        """Just this class."""
        return type(value) is self.kind


@dataclass(eq=False)
class Either(TypeShape):
    """One of several types."""

    members: tuple[TypeShape, ...]

    def __post_init__(self) -> None:
        self.standing = frozenset().union(*(member.standing for member in self.members)) - {bool}
        """A truth value looks like a number, and does not stand for itself here."""

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """Plain values as they are, others behind the position of their type."""
        if type(value) in self.standing:
            return value
        for position, member in enumerate(self.members):
            if member.accepts(value):
                return position, member.write(writer, value)
        raise AssertionError(f"{value!r} is of no type that was foreseen")

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """By the position, or as it is."""
        if type(raw) in self.standing:
            return raw
        if not isinstance(raw, list) or len(raw) != 2 or type(raw[0]) is not int:
            raise DamagedError(f"{_shown(raw)} is not among what is possible here")
        position, part = raw
        if not 0 <= position < len(self.members) or self.members[position].standing & self.standing:
            raise DamagedError(f"{_shown(raw)} is no choice")
        return self.members[position].read(reader, part)

    def accepts(self, value: object) -> bool:
        """One of them does."""
        return any(member.accepts(value) for member in self.members)


class Whatever(TypeShape):
    """What may stand where a type says nothing."""

    def write(self, writer: NodeWriter, value: Any) -> Raw:
        """As one of several types."""
        return shape_of(ANYTHING).write(writer, value)

    def read(self, reader: NodeReader, raw: Raw) -> Any:
        """As one of several types."""
        return shape_of(ANYTHING).read(reader, raw)

    def accepts(self, value: object) -> bool:
        """One of them does."""
        return shape_of(ANYTHING).accepts(value)


WHATEVER = Whatever()


def _shown(raw: Raw) -> str:
    text = repr(raw)
    return text if len(text) <= 40 else f"{text[:37]}..."


# --- from types -------------------------------------------------------------------------------------------


@cache
def shape_of(kind: Any) -> TypeShape:  # noqa: C901, PLR0911 - one line for each kind
    """How values of a type are written."""
    origin = get_origin(kind)
    if kind is Any or kind is object:
        return WHATEVER
    if kind is Term:
        return OfTerm()
    if kind in _WORDS:
        return PlainShape(kind)
    if kind == Sort:
        return _SORTS
    if origin in (Union, UnionType):
        return Either(tuple(shape_of(one) for one in get_args(kind)))
    if origin is tuple:
        return _tuple_shape(get_args(kind))
    if origin is Sequence:
        return Many(tuple, shape_of(get_args(kind)[0]))
    if origin is frozenset:
        return Many(frozenset, shape_of(get_args(kind)[0]))
    if origin is Vector:
        return Long(Many(tuple, shape_of(get_args(kind)[0])))
    if origin is PersistentTable:
        return Pairs(PersistentTable, shape_of(int), shape_of(get_args(kind)[0]))
    if origin is not None and issubclass(origin, Mapping):
        key, value = get_args(kind)
        return Pairs(dict, shape_of(key), shape_of(value))
    if issubclass(kind, Enum):
        return _enumeration(kind)
    return _record_shape(kind)


def _tuple_shape(arguments: tuple[Any, ...]) -> TypeShape:
    if arguments[-1] is Ellipsis:
        return Many(tuple, shape_of(arguments[0]))
    return Record(lambda *parts: parts, tuple, (), tuple(shape_of(one) for one in arguments))


def _record_shape(kind: type) -> TypeShape:
    hints = _BLOCK if kind is Block else get_type_hints(kind)
    if is_dataclass(kind):
        names = tuple(field.name for field in fields(kind) if field.init)
        return Record(_by_name(kind, names), kind, names, tuple(shape_of(hints[name]) for name in names))
    names = tuple(getattr(kind, "_fields", hints))
    return Record(kind, kind, names, tuple(shape_of(hints[name]) for name in names))


def _by_name(kind: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """Some classes take their fields by name only."""
    return lambda *parts: kind(**dict(zip(names, parts, strict=True)))


_BLOCK = {
    "layout": int,
    "size": int,
    "cells": tuple[ANYTHING, ...] | Vector[ANYTHING],
    "kind": int,
    "site": int,
}
"""The fields of a block, which is no record for the sake of speed."""


def _enumeration(kind: type[Enum]) -> TypeShape:
    members = {member.name: member for member in kind}
    return Named(kind.__name__, members.get, lambda one: str(one.name), lambda one: isinstance(one, kind))


_FLOATS = {str(sort): sort for sort in (F32, F64, F80)}

WIDEST = 1 << 12
"""Bits; no program has numbers as wide as this."""


def _sort_named(name: str) -> Sort | None:
    if name == str(BOOL):
        return BOOL
    if name.endswith("]"):
        element, index = (_bits_named(word) for word in name[:-1].partition("[")[::2])
        return None if element is None or index is None else ArraySort(index.width, element.width)
    return _bits_named(name) or _FLOATS.get(name)


def _bits_named(name: str) -> BitVecSort | None:
    is_width = name[:1] == "i" and name[1:].isdecimal() and len(name) < 8 and str(int(name[1:])) == name[1:]
    if is_width and 0 < int(name[1:]) <= WIDEST:
        return bitvec(int(name[1:]))
    return None


_SORTS = Named(
    "sort", _sort_named, str, lambda one: isinstance(one, BoolSort | BitVecSort | FloatSort | ArraySort)
)
