"""Property files (``.prp``) as SV-COMP writes them, read by content and never by file name.

CHECK( init(main()), LTL(G ! call(reach_error())) )
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, Unsupported
from sley.base.source import Span
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property

_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((?P<formula>.*)\)\s*\)\s*$")
_CALL = re.compile(r"G\s*!\s*call\s*\(\s*(?P<function>[A-Za-z_]\w*)\s*\(\s*\)\s*\)")

_WRITTEN = {
    Property.RACE: "G ! data-race",
    Property.OVERFLOW: "G ! overflow",
    Property.DEADLOCK: "G ! deadlock",
    Property.DEREF: "G valid-deref",
    Property.FREE: "G valid-free",
    Property.LEAK: "G valid-memtrack",
    Property.DIVISION: "G ! division-by-zero",
    Property.MISUSE: "G ! misuse",
    Property.PROGRESS: "G ! no-progress",
    Property.UNINITIALISED: "G ! uninitialised-read",
}
"""How properties are written; those from division on, and deadlocks, are not (yet) known elsewhere."""
_FORMULAS = {"Gno-deadlock": Property.DEADLOCK, **{f.replace(" ", ""): p for p, f in _WRITTEN.items()}}


@dataclass(frozen=True, slots=True)
class Selection:
    """The properties that a user, a property file or a task definition asks for."""

    properties: frozenset[Property] = frozenset()
    error_call: str | None = None
    """Only calls of this function count as reaching an error; a failing assertion then just ends the run."""
    unsupported: tuple[Unsupported, ...] = ()
    """Properties that we cannot decide: with any of them, SAFE is out of reach."""

    def __or__(self, other: "Selection") -> "Selection":
        """Both; two different error functions cannot be combined."""
        calls = sorted({call for call in (self.error_call, other.error_call) if call is not None})
        if len(calls) > 1:
            raise InputError(f"two error functions at once: call({calls[0]}) and call({calls[1]})")
        either_plain = any(
            Property.REACH in one.properties and one.error_call is None for one in (self, other)
        )
        return Selection(
            self.properties | other.properties,
            calls[0] if calls and not either_plain else None,
            self.unsupported + other.unsupported,
        )


def formula_of(prop: Property, error_call: str) -> str:
    """A property as it stands inside ``LTL(...)``; an assertion that fails calls ``error_call``."""
    if prop is Property.REACH:
        return f"G ! call({error_call}())"
    return _WRITTEN[prop]


def read_formulas(text: str, span: Span) -> Selection:
    """What a specification asks for, as lines ``CHECK(...)`` or as formulas alone; ``span`` is its place."""
    selection = Selection()
    for content in filter(None, map(str.strip, text.splitlines())):
        check = content if content.startswith("CHECK") else f"CHECK( init(main()), LTL({content}) )"
        selection |= _parse_check(check, span)
    if selection == Selection():
        raise InputError("no specification", span)
    return selection


def read_property_file(path: Path) -> Selection:
    """What a property file asks for; every non-empty line must be a ``CHECK(...)``."""
    selection = Selection()
    for number, content in enumerate(outside.text(path, outside.PROPERTY).splitlines(), start=1):
        if content.strip():
            selection |= _parse_check(content.strip(), Span(str(path), number, 1))
    if selection == Selection():
        raise InputError("the property file has no CHECK(...) line", Span(str(path), 1, 1))
    return selection


def _parse_check(content: str, span: Span) -> Selection:
    match = _CHECK.match(content)
    if match is None and content.startswith("COVER"):  # a goal for test generators
        return Selection(unsupported=(Unsupported(f"property `{content}`", span),))
    if match is None:
        raise InputError("expected CHECK( init(main()), LTL(...) )", span)
    formula = match["formula"].strip()
    if call := _CALL.fullmatch(formula):
        return Selection(frozenset({Property.REACH}), call["function"])
    known = _FORMULAS.get(re.sub(r"\s+", "", formula))
    if known is not None:
        return Selection(frozenset({known}))
    return Selection(unsupported=(Unsupported(f"property `{formula}`", span),))


def selected(names: Sequence[str], where: str = "") -> Selection | None:
    """What names of groups and property files ask for; None without any. ``where`` begins a complaint."""
    chosen: Selection | None = None
    for name in (part for given in names for part in (given.split(",") if "." not in given else [given])):
        one = _selected(name, where)
        chosen = one if chosen is None else chosen | one
    return chosen


def _selected(name: str, where: str) -> Selection:
    if name == "all":
        return Selection(ALL_PROPERTIES)
    if name in PROPERTY_GROUPS:
        return Selection(PROPERTY_GROUPS[name])
    if name in {one.value for one in Property}:
        return Selection(frozenset({Property(name)}))
    if name.endswith(".prp"):
        return read_property_file(Path(name))
    known = ", ".join([*PROPERTY_GROUPS, "all"])
    raise InputError(f"{where}`{name}` is none of {known}, and not a .prp file")
