"""What a text in cat consists of. A set of events is the identity on them wherever it is evaluated."""

from dataclasses import dataclass, field
from enum import Enum

from sley.base.source import Span


class Requirement(Enum):
    """What an axiom asks of a relation."""

    ACYCLIC = "acyclic"
    IRREFLEXIVE = "irreflexive"
    EMPTY = "empty"


class Operator(Enum):
    """How the parts of an expression make one."""

    UNION = "|"
    SEQUENCE = ";"
    DIFFERENCE = "\\"
    INTERSECTION = "&"
    PRODUCT = "*"
    """All pairs from one set to another."""
    IDENTITY = "[]"
    COMPLEMENT = "~"
    INVERSE = "^-1"
    CLOSURE = "+"
    REFLEXIVE = "r*"
    OPTIONAL = "?"
    EMPTY = "0"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Name:
    """A set or a relation by its name."""

    name: str
    place: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of the text, of some arguments."""

    function: str
    arguments: tuple["Expression", ...]
    place: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and its parts: any number for those that are associative."""

    operator: Operator
    parts: tuple["Expression", ...]
    place: Span = field(compare=False)


Expression = Name | Apply | Operation


@dataclass(frozen=True, slots=True)
class Binding:
    """``let name = body`` or ``let name(parameters) = body``."""

    name: str
    parameters: tuple[str, ...]
    body: Expression
    place: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Let:
    """Bindings; recursive ones are the least fixpoint of all together."""

    bindings: tuple[Binding, ...]
    is_recursive: bool


@dataclass(frozen=True, slots=True)
class Axiom:
    """What every execution satisfies."""

    requirement: Requirement
    relation: Expression
    name: str
    place: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """A whole file."""

    title: str
    statements: tuple[Let | Axiom, ...]
