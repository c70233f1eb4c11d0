"""A value of a known type as JSON, and back: the one way in which proofs are written and read."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from sley.evidence.encoding.anything import ANYTHING
from sley.evidence.encoding.shapes import (
    DamagedError,
    Either,
    Long,
    Many,
    Named,
    NodeReader,
    NodeWriter,
    OfTerm,
    Pairs,
    PlainShape,
    Raw,
    Record,
    TypeShape,
    Whatever,
    shape_of,
)
from sley.evidence.encoding.terms import TermRows, TermTable
from sley.logic.terms import Term, Terms
from sley.program.program import Program


def encode(kind: Any, value: object, terms: Terms) -> dict[str, Raw]:
    """A value of a type as JSON; its last node is the value itself."""
    tables = _Tables(terms)
    shape_of(kind).write(tables, value)
    return {"form": form_of(kind), "terms": tables.terms.rows, "nodes": tables.nodes}


def decode(kind: Any, raw: Raw, program: Program) -> Any:
    """The value, with its terms in the program's arena; DamagedError if it is none of this type."""
    if not isinstance(raw, dict) or set(raw) != {"form", "terms", "nodes"}:
        raise DamagedError("expected `form`, `terms` and `nodes`, and nothing else")
    if raw["form"] != form_of(kind):
        raise DamagedError("it has another form: it was written by another version of sley")
    try:
        tables = _ProofRead(program, raw["terms"], raw["nodes"])
        return shape_of(kind).read(tables, len(tables.nodes) - 1)
    except RecursionError:
        raise DamagedError("it is nested too deeply") from None


class _Tables(NodeWriter):
    def __init__(self, terms: Terms) -> None:
        self.nodes: list[tuple[Raw, ...]] = []
        self.terms = TermTable(terms, self)
        self._known: dict[tuple[int, int], tuple[int, object]] = {}
        """By shape and identity of the value, which is kept so that no other one gets its identity."""
        self._equal: dict[tuple[int, tuple[Raw, ...]], int] = {}

    def node(self, shape: TypeShape, value: object, parts: Callable[[], Iterable[Raw]]) -> int:
        key = id(shape), id(value)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._numbered(id(shape), tuple(parts())), value
        return known[0]

    def _numbered(self, shape: int, parts: tuple[Raw, ...]) -> int:
        number = self._equal.get((shape, parts))
        if number is None:
            number = self._equal[shape, parts] = len(self.nodes)
            self.nodes.append(parts)
        return number

    def term(self, term: Term) -> int:
        return self.terms.number(term)


class _ProofRead(NodeReader):
    def __init__(self, program: Program, terms: Raw, nodes: Raw) -> None:
        if not isinstance(nodes, list) or not nodes:
            raise DamagedError("the nodes are no list")
        self.nodes = nodes
        self._bound = len(nodes)
        """Only nodes before this one may be named: there are no cycles."""
        self._known: dict[tuple[int, int], Any] = {}
        self._terms = TermRows(program, terms, self)

    def node(self, shape: TypeShape, raw: Raw, build: Callable[[list[Raw]], Any]) -> Any:
        if type(raw) is not int or not 0 <= raw < self._bound:
            raise DamagedError(f"there is no node {raw!r} before node {self._bound}")
        key = id(shape), raw
        if key not in self._known:
            parts = self.nodes[raw]
            if not isinstance(parts, list):
                raise DamagedError(f"node {raw} is no list")
            outer, self._bound = self._bound, raw
            self._known[key] = build(parts)
            self._bound = outer
        return self._known[key]

    def term(self, raw: Raw) -> Term:
        return self._terms.term(raw)


def form_of(kind: Any) -> str:
    """A fingerprint of a type: of its fields, and of theirs."""
    return hashlib.sha256(_described(shape_of(kind), []).encode()).hexdigest()[:16]


def _described(shape: TypeShape, around: list[TypeShape]) -> str:
    if any(shape is one for one in around):
        return "..."
    inner = [*around, shape]
    match shape:
        case PlainShape(kind=kind):
            return kind.__name__
        case Named(kind=name):
            return name
        case OfTerm():
            return "term"
        case Whatever():
            return _described(shape_of(ANYTHING), inner)
        case Many(make=make, part=part):
            return f"{make.__name__}[{_described(part, inner)}]"
        case Long(leaf=leaf):
            return f"long[{_described(leaf, inner)}]"
        case Pairs(key=key, value=value):
            return f"map[{_described(key, inner)},{_described(value, inner)}]"
        case Record(kind=kind, names=names, parts=parts):
            described = ",".join(_described(one, inner) for one in parts)
            return f"{kind.__name__}({','.join(names)})({described})"
        case Either(members=members):
            return "|".join(_described(one, inner) for one in members)
        case _:
            raise AssertionError(shape)
