"""A program in the making: what the corners write to, and what becomes of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random

from sley.program.properties import Property
from tests.fuzz.sequential import TYPES, Type


@dataclass(frozen=True)
class Fault:
    """What is wrong with a program, by construction."""

    properties: frozenset[Property]
    """Any of them is a right name for it."""
    what: str
    unseen: str = ""
    """Why a sanitizer may miss it in a run; empty if it must not."""
    known: str = ""
    """The key in ``KNOWN`` of the reason why the tool does not see it either."""


KNOWN = {
    "evaluation-order": "operands are evaluated from left to right",
    "inner-pointer": "a pointer to an element may walk through the whole object",
}
"""Differences from the standard that are decided, and stand in ``docs/semantics.md``."""


@dataclass(frozen=True)
class Program:
    """A program with what is known of it before anybody runs it."""

    seed: int
    corners: tuple[str, ...]
    text: str
    """Complete but for ``CHECK(number, value)`` and ``PAUSE()``."""
    names: tuple[str, ...]
    """Of file scope, so that many programs can share a translation unit."""
    is_threaded: bool
    is_open: bool = False
    """Nobody knows what is right before the sanitizers have seen it."""
    fault: Fault | None = None
    disbelieved: str = ""
    """Why ThreadSanitizer is not asked about this program."""

    @property
    def is_clean(self) -> bool:
        """Every run is defined, and every check has the same value in all runs."""
        return not self.is_open and self.fault is None


@dataclass
class Draft:
    """Lines of C, with names that are not taken."""

    random: Random
    may_fail: bool = False
    """The corner at hand may be wrong, on purpose or by chance."""
    top: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    depth: int = 1
    checks: int = 0
    fault: Fault | None = None
    is_open: bool = False
    disbelieved: str = ""
    taken: int = 0
    has_ended: bool = False
    """The process has ended: nothing after this is ever executed."""

    # --- writing ----------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def code(self, *texts: str) -> None:
        for text in texts:
            self.line(text)

    @contextmanager
    def block(self, head: str = "") -> Iterator[None]:
        self.line(f"{head} {{".strip())
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")

    def file_scope(self, text: str, *names: str) -> None:
        """A declaration outside all functions, and the names it introduces."""
        self.top.append(text)
        self.names.extend(names)

    def name(self, stem: str) -> str:
        self.taken += 1
        return f"{stem}{self.taken}"

    def pause(self) -> None:
        """A place where a run may be delayed."""
        if self.chance(0.4):
            self.line("PAUSE();")

    def check(self, expression: str) -> None:
        """Something whose value gcc tells."""
        self.line(f"CHECK({self.checks}, {expression});")
        self.checks += 1

    # --- chance -----------------------------------------------------------------------------------

    def chance(self, probability: float = 0.5) -> bool:
        return self.random.random() < probability

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    @contextmanager
    def function(self, head: str, name: str) -> Iterator[None]:
        """A function of its own, before main."""
        outer, depth = self.lines, self.depth
        self.lines, self.depth = [], 1
        yield
        body, self.lines, self.depth = self.lines, outer, depth
        self.file_scope("\n".join([head, "{", *body, "}"]), name)

    # --- right and wrong --------------------------------------------------------------------------

    def fails(self, *properties: Property, what: str, unseen: str = "", probability: float = 0.7) -> bool:
        """Whether to be wrong here; if so, that is noted."""
        if not self.may_fail or not self.chance(probability):
            return False
        self.may_fail = False
        self.fault = Fault(frozenset(properties), what, unseen)
        return True

    def risks(self) -> bool:
        """Whether anything goes here: the sanitizers will tell whether it was right."""
        if not self.may_fail:
            return False
        self.may_fail = False
        self.is_open = True
        return True

    def is_wrong(self, *properties: Property, what: str, unseen: str) -> None:
        """What was risked is a fault, though the sanitizers may be silent."""
        self.is_open = False
        self.fault = Fault(frozenset(properties), what, unseen)

    def unseen(self, reason: str) -> None:
        """The fault is one that no sanitizer need see."""
        assert self.fault is not None
        self.fault = replace(self.fault, unseen=reason)

    def known_as(self, key: str) -> None:
        """The fault is one that the tool is known not to see."""
        assert self.fault is not None
        assert key in KNOWN
        self.fault = replace(self.fault, known=key)

    # --- operands ---------------------------------------------------------------------------------

    def operand(self, kind: Type, number: int) -> str:
        """An expression of the type with the value: a constant, or one of many things that are none."""
        forms: list[Callable[[Type, int], str]] = [
            self.constant,
            self.constant,
            self.local,
            self.local,
            self.global_variable,
            self.call,
            self.member,
            self.element,
            self.chosen,
        ]
        return self.random.choice(forms)(kind, number)

    def constant(self, kind: Type, number: int) -> str:
        return literal(kind, number)

    def local(self, kind: Type, number: int) -> str:
        name = self.name("v")
        qualifier = self.pick("", "", "", "const ", "volatile ")
        self.line(f"{qualifier}{kind.name} {name} = {literal(kind, number)};")
        return name

    def global_variable(self, kind: Type, number: int) -> str:
        name = self.name("g")
        qualifier = self.pick("", "static ", "const ")
        self.file_scope(f"{qualifier}{kind.name} {name} = {literal(kind, number)};", name)
        return name

    def call(self, kind: Type, number: int) -> str:
        name = self.name("f")
        body = f"return {literal(kind, number)};"
        if self.chance():
            body = f"{kind.name} result = {literal(kind, number)}; return result;"
        self.file_scope(f"static {kind.name} {name}(void) {{ {body} }}", name)
        return f"{name}()"

    def member(self, kind: Type, number: int) -> str:
        name = self.name("s")
        self.line(f"struct {{ char before; {kind.name} member; }} {name} = {{1, {literal(kind, number)}}};")
        return f"{name}.member"

    def element(self, kind: Type, number: int) -> str:
        name = self.name("a")
        self.line(f"{kind.name} {name}[2] = {{0, {literal(kind, number)}}};")
        return f"{name}[1]"

    def chosen(self, kind: Type, number: int) -> str:
        name = self.name("c")
        self.line(f"int {name} = {self.number(0, 1)};")
        return f"(({kind.name})({name} ? {literal(kind, number)} : {literal(kind, number)}))"


def literal(kind: Type, number: int) -> str:
    """A constant expression of exactly this type."""
    assert kind.holds(number, number), (kind, number)
    if kind.rank < INT.rank:
        return f"({kind.name}){number}" if number >= 0 else f"({kind.name})({number})"
    suffix = {"int": "", "unsigned": "u", "long": "l", "unsigned long": "ul"}.get(kind.name)
    if suffix is None:
        suffix = "ll" if kind.is_signed else "ull"
    if number < 0 and number == kind.low:
        return f"({number + 1}{suffix} - 1)"
    return f"{number}{suffix}" if number >= 0 else f"({number}{suffix})"


INT = next(kind for kind in TYPES if kind.name == "int")

Corner = Callable[[Draft], None]
