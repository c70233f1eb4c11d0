"""Likely invariants as a file for people: YAML, one entry per read, one line per invariant."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.engines.bmc.likely.invariants import INITIAL, LikelyInvariants, LikelyRead, Source
from sley.engines.bmc.likely.mining import MAKING, READING, WRITING
from sley.program.instructions import Load, Lock, Store, Unlock, Update
from sley.program.memory import Display
from sley.program.program import Edge, Program, user_origin

HEADER = """\
# Likely data-flow invariants: where reads of shared variables got their values from in {runs} random runs.
# They need not hold in all runs. An entry is one read in the program:
#   origin   whose write it always saw: `local`, of the same thread; `remote`, of another one
#   follows  it always saw the same write as the thread's read of that variable before it
#   from     the writes that it saw; `initial` is what the variable held when the first thread was created
# Delete a line of these (`from` with all its writes) to drop an invariant, an entry to drop all of a read;
# add writes to `from` to allow more. `location` says which read or write is meant: leave it as it is.
"""

_INITIAL = "initial"
_SOURCES: dict[str, Source] = {"local": "local", "remote": "remote"}


# --- writing ------------------------------------------------------------------------------------------


def write_likely(program: Program, likely: LikelyInvariants) -> str:
    """The file for the invariants of a program."""
    edges = _edges(program)
    lines = [HEADER.format(runs=likely.runs).rstrip("\n"), "", f"runs: {likely.runs}"]
    lines.append("reads:" if likely.reads else "reads: []")
    for location in sorted(likely.reads, key=lambda at: (_span(edges[at]), at)):
        lines.append("")
        head, *rest = _entry(program, edges, location, likely.reads[location])
        lines += [f"  - {head}", *(f"    {one}" for one in rest)]
    return "\n".join(lines) + "\n"


def _entry(program: Program, edges: Mapping[int, Edge], location: int, read: LikelyRead) -> Iterator[str]:
    yield from _place(edges[location])
    variable = _variable(program, edges[location])
    if variable:
        yield f"variable: {_quoted(variable)}"
    yield f"location: {location}"
    if read.origin is not None:
        yield f"origin: {read.origin}"
    if read.follows:
        yield "follows: true"
    if read.writes is not None:
        yield "from:"
        if INITIAL in read.writes:
            yield f"  - {_INITIAL}"
        writes = sorted(read.writes - {INITIAL}, key=lambda at: (_span(edges[at]), at))
        yield from (f"  - {_write(edges[write])}" for write in writes)
    yield f"seen: {read.seen}"


def _write(edge: Edge) -> str:
    return f"{{{', '.join([*_place(edge), f'location: {edge.source}'])}}}"


def _place(edge: Edge) -> Iterator[str]:
    """Where the user finds an edge, and what stands there."""
    origin = user_origin(edge.origin)
    if origin.span is not None:
        yield f"at: {_quoted(str(origin.span))}"
    text = " ".join(origin.text.split()).removesuffix(";")
    if text:
        yield f"text: {_quoted(text)}"


def _span(edge: Edge) -> Span:
    return user_origin(edge.origin).span or Span("", 0, 0)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _variable(program: Program, edge: Edge) -> str:
    """What C calls the memory that an edge accesses; nothing for the insides of the library."""
    instruction = edge.instruction
    assert isinstance(instruction, Load | Store | Update | Lock | Unlock)
    address = program.terms.number(instruction.access.address)
    if address is None:
        return "" if edge.origin.is_library else instruction.access.text
    number, offset = program.pointers.number(address), program.pointers.offset(address)
    obj = program.static_object(number)
    if obj is None:
        return ""
    found = obj.layout.cell_at(offset)
    if found is None or found[1].display is Display.HIDDEN or not obj.c_name:
        return obj.c_name
    return obj.c_name + obj.layout.path_of(found[0], obj.size)


def _edges(program: Program) -> dict[int, Edge]:
    """The accesses of a program by location."""
    edges = (edge for function in program.functions.values() for edge in function.edges)
    return {e.source: e for e in edges if isinstance(e.instruction, READING + WRITING + MAKING)}


# --- reading ------------------------------------------------------------------------------------------


def load_likely(path: Path, program: Program) -> LikelyInvariants:
    """The invariants in a file; InputError if it cannot be read or belongs to another program."""
    return read_likely(outside.text(path, outside.LIKELY), str(path), program)


def read_likely(text: str, file: str, program: Program) -> LikelyInvariants:
    """The invariants in a file that was written for this program; ``file`` is for messages."""
    return _InvariantReader(file, _edges(program)).all(outside.yaml_of(text, file))


class _InvariantReader:
    def __init__(self, file: str, edges: Mapping[int, Edge]) -> None:
        self.file = file
        self.edges = edges

    def all(self, content: object) -> LikelyInvariants:
        """The whole file."""
        if not isinstance(content, Mapping) or not isinstance(content.get("reads"), list):
            raise self._error("not a file of likely invariants: no list `reads`")
        reads = dict(self._entry(entry) for entry in content["reads"])
        return LikelyInvariants(dict(sorted(reads.items())), self._number(content, "runs"))

    def _entry(self, entry: object) -> tuple[int, LikelyRead]:
        if not isinstance(entry, Mapping):
            raise self._error(f"`{entry}` is not an entry of a read")
        location = self._location(entry, READING)
        origin, follows = entry.get("origin"), entry.get("follows", False)
        source = _SOURCES.get(str(origin))
        if origin is not None and source is None:
            raise self._error(f"`origin: {origin}` is neither local nor remote")
        if not isinstance(follows, bool):
            raise self._error(f"`follows: {follows}` is neither true nor false")
        writes = self._writes(entry["from"]) if entry.get("from") is not None else None
        return location, LikelyRead(source, follows, writes, self._number(entry, "seen"))

    def _writes(self, listed: object) -> frozenset[int]:
        if not isinstance(listed, list):
            raise self._error("`from` is not a list of writes")
        return frozenset(INITIAL if one == _INITIAL else self._one_write(one) for one in listed)

    def _one_write(self, write: object) -> int:
        if not isinstance(write, Mapping):
            raise self._error(f"`{write}` in `from` is no write")
        return self._location(write, WRITING + MAKING)

    def _location(self, entry: Mapping[object, object], kinds: tuple[type, ...]) -> int:
        """The location of an entry, which must be an access of that kind on the line that the entry says."""
        location, at = entry.get("location"), entry.get("at")
        if not isinstance(location, int) or isinstance(location, bool):
            raise self._error("an entry without `location`")
        edge = self.edges.get(location)
        if edge is None or not isinstance(edge.instruction, kinds) or not _is_at(edge, at):
            where = "" if at is None else f" at {at}"
            what = "read" if kinds is READING else "write"
            raise self._error(
                f"the file belongs to another program: location {location} is no {what}{where}; mine it again"
            )
        return location

    def _number(self, entry: Mapping[object, object], key: str) -> int:
        number = entry.get(key, 0)
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise self._error(f"`{key}: {number}` is not a number of times")
        return number

    def _error(self, message: str) -> InputError:
        return InputError(message, Span(self.file, 1, 1))


def _is_at(edge: Edge, at: object) -> bool:
    """Whether the edge is on this line; folders do not count, nor columns."""
    span = user_origin(edge.origin).span
    if at is None or span is None:
        return at is None and span is None
    file, _, rest = str(at).rpartition(":")[0].rpartition(":")
    return PurePath(file).name == PurePath(span.file).name and rest == str(span.line)
