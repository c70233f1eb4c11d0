"""From a cycle of edges to a litmus test, in the style of diy.

J. Alglave, L. Maranget, S. Sarkar, P. Sewell: *Fences in Weak Memory Models*, CAV 2010. A critical cycle is
written as a list of edges, each with the directions of the two events that it links:

* ``Rfe``, ``Fre``, ``Coe``: communication with another thread; ``Rfi``, ``Fri``, ``Coi``: with oneself;
* ``po:WR``, ``mfence:WR``, ``lwsync:RW``, ``addr:RR``, ``ctrlisync:RR``: the next event of its thread,
  at another location, with a fence or a dependency between.

Going round the cycle, all accesses to one location come one after another, and in the order in which
coherence has their writes. So each read is to read what the last write before it wrote. The outcome of the
test is that this is so, and that the last write of each location is its final value.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

COMMUNICATIONS = {
    "Rfe": ("W", "R"),
    "Fre": ("R", "W"),
    "Coe": ("W", "W"),
    "Rfi": ("W", "R"),
    "Fri": ("R", "W"),
    "Coi": ("W", "W"),
}
DEPENDENCIES = ("addr", "data", "ctrl", "ctrlisync", "ctrlisb")
INSTRUCTIONS = {
    "acq": ("ldar", ""),
    "acqpc": ("ldapr", ""),
    "rel": ("", "stlr"),
    "relacq": ("stlr", "ldar"),
    "relacqpc": ("stlr", "ldapr"),
}
"""What orders without standing between: the instructions of ARM that the two accesses are."""
LOCATIONS = "xyzabcdefgh"


@dataclass(frozen=True)
class Operation:
    """An access, or a fence."""

    kind: str
    """R, W or F."""
    location: str = ""
    value: int = 0
    """What a write writes, or a read is to read."""
    order: str = "relaxed"
    """In C."""
    fence: str = ""
    """Its name in assembly, or its order in C."""
    depends: str = ""
    """How it depends on the read before it."""


@dataclass(frozen=True)
class Test:
    """A test that no language has been chosen for."""

    name: str
    threads: tuple[tuple[Operation, ...], ...]
    final: Mapping[str, int] = field(default_factory=dict)

    def with_orders(self, orders: Sequence[str]) -> "Test":
        """The same test with these orders of its accesses, thread by thread."""
        left = iter(orders)
        threads = tuple(
            tuple(one if one.kind == "F" else replace(one, order=next(left)) for one in thread)
            for thread in self.threads
        )
        return replace(self, threads=threads)

    @property
    def accesses(self) -> list[Operation]:
        """All but fences."""
        return [one for thread in self.threads for one in thread if one.kind != "F"]


def cycle_test(name: str, edges: Sequence[str]) -> Test:
    """The test of a cycle."""
    return _Cycle(name, edges).test()


class _Cycle:
    """Event i is where edge i begins; the last edge leads back to event 0, in another thread."""

    def __init__(self, name: str, edges: Sequence[str]) -> None:
        self.name = name
        count = len(edges)
        last = max(i for i, edge in enumerate(edges) if edge in COMMUNICATIONS and edge.endswith("e"))
        self.edges = [edges[(last + 1 + i) % count] for i in range(count)]
        self.directions = [directions(edge)[0] for edge in self.edges]
        for i, edge in enumerate(self.edges):
            assert directions(edge)[1] == self.directions[(i + 1) % count], f"{edge} in {edges}"

    def test(self) -> Test:
        places, values, final = self._locations()
        threads: list[list[Operation]] = [[]]
        for i, kind in enumerate(self.directions):
            before = self.edges[i - 1]
            if i > 0 and before.endswith("e") and before in COMMUNICATIONS:
                threads.append([])
            how = before.split(":")[0] if ":" in before and threads[-1] else "po"
            if how not in (*DEPENDENCIES, *INSTRUCTIONS, "po"):
                threads[-1].append(Operation("F", fence=how))
            depends = how if how in DEPENDENCIES else ""
            orders = INSTRUCTIONS.get(self.edges[i].split(":")[0], ("", ""))[0] or (
                INSTRUCTIONS[how][1] if how in INSTRUCTIONS else ""
            )
            threads[-1].append(
                Operation(kind, places[i], values[i], depends=depends, order=orders or "relaxed")
            )
        return Test(self.name, tuple(map(tuple, threads)), final)

    def _locations(self) -> tuple[list[str], list[int], dict[str, int]]:
        """Where events are, what they read or write, and the last values of locations with several writes."""
        count = len(self.edges)
        steps = [i for i, edge in enumerate(self.edges) if ":" in edge]
        assert len(steps) != 1, "one location is not enough to come back to"
        start = (steps[-1] + 1) % count if steps else 0
        places, values = [""] * count, [0] * count
        number, newest, writes = 0, 0, dict[str, int]()
        for i in ((start + offset) % count for offset in range(count)):
            places[i] = LOCATIONS[number]
            if self.directions[i] == "W":
                newest += 1
                writes[places[i]] = newest
            values[i] = newest
            if ":" in self.edges[i]:
                number, newest = number + 1, 0
        return places, values, {place: value for place, value in writes.items() if value > 1}


def directions(edge: str) -> tuple[str, str]:
    """What an edge leads from, and to."""
    if edge in COMMUNICATIONS:
        return COMMUNICATIONS[edge]
    pair = edge.split(":")[1]
    return pair[0], pair[1]


# --- as text -------------------------------------------------------------------------------------------


def litmus_text(test: Test, language: str) -> str:
    """The test in the format of herd."""
    return {"C": _c_text, "X86": _x86_text, "PPC": _columns_text, "AArch64": _columns_text}[language](
        test, language
    )


def _question(test: Test, registers: Mapping[tuple[int, int], str]) -> str:
    parts = [
        f"{thread}:{registers[thread, i]}={one.value}"
        for thread, operations in enumerate(test.threads)
        for i, one in enumerate(operations)
        if one.kind == "R"
    ]
    parts += [f"{place}={value}" for place, value in test.final.items()]
    return "exists (" + " /\\ ".join(parts) + ")\n"


def _c_text(test: Test, _: str) -> str:
    lines, registers = [f"C {test.name}", "{}"], {}
    for thread, operations in enumerate(test.threads):
        used = dict.fromkeys(one.location for one in operations if one.location)
        lines.append(f"P{thread} ({', '.join(f'atomic_int* {place}' for place in used)}) {{")
        for i, one in enumerate(operations):
            registers[thread, i] = f"r{i}"
            lines.append(f"  {_c_statement(one, f'r{i}')}")
        lines.append("}")
    return "\n".join([*lines, _question(test, registers)])


def _c_statement(one: Operation, register: str) -> str:
    match one.kind, one.order:
        case "F", _:
            return f"atomic_thread_fence(memory_order_{one.fence});"
        case "R", "plain":
            return f"int {register} = *{one.location};"
        case "W", "plain":
            return f"*{one.location} = {one.value};"
        case "R", order:
            return f"int {register} = atomic_load_explicit({one.location}, memory_order_{order});"
        case _, order:
            return f"atomic_store_explicit({one.location}, {one.value}, memory_order_{order});"


_X86 = ("EAX", "EBX", "ECX", "EDX", "ESI", "EDI")


def _x86_text(test: Test, _: str) -> str:
    columns, registers = [], dict[tuple[int, int], str]()
    for thread, operations in enumerate(test.threads):
        free, column = iter(_X86), []
        for i, one in enumerate(operations):
            if one.kind == "R":
                registers[thread, i] = next(free)
                column.append(f"MOV {registers[thread, i]},[{one.location}]")
            else:
                column.append(one.fence.upper() if one.kind == "F" else f"MOV [{one.location}],${one.value}")
        columns.append(column)
    return f"X86 {test.name}\n{{}}\n{_table(columns)}{_question(test, registers)}"


def _columns_text(test: Test, language: str) -> str:
    columns, first, registers = [], list[str](), dict[tuple[int, int], str]()
    for thread, operations in enumerate(test.threads):
        code = _PowerCode() if language == "PPC" else _ArmCode()
        for i, one in enumerate(operations):
            registers[thread, i] = code.add(one)
        columns.append(code.lines)
        first.append(" ".join(f"{thread}:{register}={place};" for place, register in code.addresses.items()))
    given = "\n".join(first)
    return f"{language} {test.name}\n{{\n{given}\n}}\n{_table(columns)}{_question(test, registers)}"


class _PowerCode:
    """A column."""

    letter = "r"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.addresses: dict[str, str] = {}
        self.last_read = ""
        self._registers = 0
        self._labels = 0

    def _register(self) -> str:
        self._registers += 1
        return f"{self.letter}{self._registers}"

    def add(self, one: Operation) -> str:
        """The instructions of an operation; the register that a read reads into."""
        if one.kind == "F":
            self.lines.append(one.fence)
            return ""
        if one.depends.startswith("ctrl"):
            label = f"LC{self._labels:02}"
            self._labels += 1
            self.lines += [*self._branch(label), f"{label}:"]
            self.lines += [one.depends[4:]] if one.depends != "ctrl" else []
        address = self.addresses.setdefault(one.location, self._register())
        zero = ""
        if one.depends in ("addr", "data"):
            zero = self._register()
            self.lines.append(self._zero(zero))
        return self._read(one, address, zero) if one.kind == "R" else self._write(one, address, zero)

    def _branch(self, label: str) -> list[str]:
        return [f"cmpw {self.last_read},{self.last_read}", f"beq {label}"]

    def _zero(self, register: str) -> str:
        return f"xor {register},{self.last_read},{self.last_read}"

    def _read(self, one: Operation, address: str, zero: str) -> str:
        self.last_read = self._register()
        indexed = f"lwzx {self.last_read},{zero},{address}"
        self.lines.append(indexed if one.depends == "addr" else f"lwz {self.last_read},0({address})")
        return self.last_read

    def _write(self, one: Operation, address: str, zero: str) -> str:
        value = self._register()
        is_data = one.depends == "data"
        self.lines.append(f"addi {value},{zero},{one.value}" if is_data else f"li {value},{one.value}")
        is_indexed = one.depends == "addr"
        self.lines.append(f"stwx {value},{zero},{address}" if is_indexed else f"stw {value},0({address})")
        return ""


class _ArmCode(_PowerCode):
    """A column of AArch64."""

    letter = "X"

    def add(self, one: Operation) -> str:
        """``dmb.sy`` is written ``DMB SY``."""
        return super().add(replace(one, fence=one.fence.replace(".", " ").upper()))

    def _branch(self, label: str) -> list[str]:
        return [f"CBNZ W{self.last_read[1:]},{label}"]

    def _zero(self, register: str) -> str:
        last = self.last_read[1:]
        return f"EOR W{register[1:]},W{last},W{last}"

    def _read(self, one: Operation, address: str, zero: str) -> str:
        self.last_read = self._register()
        place = f"[{address},W{zero[1:]},SXTW]" if one.depends == "addr" else f"[{address}]"
        name = one.order.upper() if one.order in ("ldar", "ldapr") else "LDR"
        self.lines.append(f"{name} W{self.last_read[1:]},{place}")
        return self.last_read

    def _write(self, one: Operation, address: str, zero: str) -> str:
        value = f"W{self._register()[1:]}"
        self.lines.append(f"MOV {value},#{one.value}")
        if one.depends == "data":
            self.lines.append(f"ADD {value},{value},W{zero[1:]}")
        place = f"[{address},W{zero[1:]},SXTW]" if one.depends == "addr" else f"[{address}]"
        self.lines.append(f"{'STLR' if one.order == 'stlr' else 'STR'} {value},{place}")
        return ""


def _table(columns: Sequence[Sequence[str]]) -> str:
    heads = [[f"P{i}", *column] for i, column in enumerate(columns)]
    height = max(map(len, heads))
    rows: Iterator[str] = (
        " | ".join(f"{column[i] if i < len(column) else '':<14}" for column in heads) for i in range(height)
    )
    return "".join(f" {row} ;\n" for row in rows)


def cycle_name(edges: Sequence[str]) -> str:
    """A name without blanks."""
    return re.sub(r"[^\w+.-]", "", "+".join(edge.replace(":", "") for edge in edges))
