"""Witnesses in GraphML, format 1.0: an automaton that accepts the run of a violation, or has invariants.

Validators differ in what they understand. A violation is one path without branches; a change of the acting
thread and an assumption are never on the same edge, as one of them would be overlooked; there are no
comments.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from xml.etree import ElementTree as ET

from sley.base.shown import visible_lines
from sley.base.source import Span
from sley.evidence.invariants import SourceInvariant
from sley.evidence.trace import Trace
from sley.reports.sources import byte_offset
from sley.reports.witnesses.metadata import PRODUCER, VERSION, Claim, creation_time
from sley.reports.witnesses.passages import Passage, Values, passages_of

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"

_KEYS = {
    "graph": (
        *("witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash"),
        *("architecture", "creationtime"),
    ),
    "node": ("entry", "violation", "invariant", "invariant.scope"),
    "edge": (
        *("threadId", "createThread", "enterFunction", "returnFromFunction", "originfile", "startline"),
        *("endline", "startoffset", "assumption", "assumption.scope", "assumption.resultfunction"),
        "enterLoopHead",
    ),
}
"""All keys that are used, by what they belong to."""

_TYPES = {
    **dict.fromkeys(("entry", "violation", "enterLoopHead"), "boolean"),
    **dict.fromkeys(("startline", "endline", "startoffset"), "int"),
}

Data = Mapping[str, str]


def graphml_of(claim: Claim, invariants: tuple[SourceInvariant, ...]) -> str:
    """The whole file."""
    writer = _GraphmlWriter(claim)
    if claim.trace is not None:
        writer.violation(claim.trace)
    else:
        writer.correctness(invariants)
    ET.indent(writer.root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(writer.root, encoding="unicode") + "\n"


class _GraphmlWriter:
    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.root = ET.Element("graphml", {"xmlns": NAMESPACE, "xmlns:xsi": SCHEMA_INSTANCE})
        for element, names in _KEYS.items():
            for name in names:
                self._key(name, element)
        self.graph = ET.SubElement(self.root, "graph", edgedefault="directed")
        self.nodes = 0

    def _key(self, name: str, element: str) -> None:
        attributes = {"id": name, "attr.name": name, "attr.type": _TYPES.get(name, "string"), "for": element}
        key = ET.SubElement(self.root, "key", attributes)
        if element == "node" and _TYPES.get(name) == "boolean":
            ET.SubElement(key, "default").text = "false"

    def _describe(self, kind: str) -> None:
        claim = self.claim
        _add_data(
            self.graph, {"witness-type": kind, "sourcecodelang": "C", "producer": f"{PRODUCER} {VERSION}"}
        )
        for check in claim.checks:
            _add_data(self.graph, {"specification": check})
        for file, digest in zip(claim.files, claim.hashes, strict=True):
            _add_data(self.graph, {"programfile": str(file), "programhash": digest})
        _add_data(self.graph, {"architecture": claim.architecture, "creationtime": creation_time()})

    def _node(self, data: Data) -> str:
        name = f"n{self.nodes}"
        self.nodes += 1
        _add_data(ET.SubElement(self.graph, "node", id=name), data)
        return name

    def _edge(self, source: str, target: str, data: Data) -> None:
        _add_data(ET.SubElement(self.graph, "edge", source=source, target=target), data)

    # --- violations ---

    def violation(self, trace: Trace) -> None:
        """One path to the violation."""
        self._describe("violation_witness")
        edges = list(self._path(trace))
        nodes = [self._node({"entry": "true"}), *(self._node({}) for _ in edges[1:])]
        nodes.append(self._node({"violation": "true"}))
        for (source, target), data in zip(pairwise(nodes), edges, strict=True):
            self._edge(source, target, data)

    def _path(self, trace: Trace) -> Iterator[Data]:
        start = trace.threads[0].function
        yield {"threadId": "0", "createThread": "0", "enterFunction": start}
        for passage in passages_of(trace):
            where = {"threadId": str(passage.thread), **self._place(passage.span)}
            for created in passage.creates[:-1]:
                yield {**where, "createThread": str(created)}
            yield {**where, **self._events(passage, trace)}
            for assumption in _assumptions(passage):
                yield {**where, **assumption}

    def _events(self, passage: Passage, trace: Trace) -> Data:
        own = trace.threads[passage.thread].function
        data = {}
        if passage.creates:
            data["createThread"] = str(passage.creates[-1])
        if passage.is_first and passage.thread:
            data["enterFunction"] = own
        if passage.is_failure and (called := _called(passage, self.claim)):
            data["enterFunction"] = called
        if passage.is_end:
            data["returnFromFunction"] = own
        return data

    def _place(self, span: Span) -> Data:
        several = {"originfile": span.file} if len(self.claim.files) > 1 else {}
        offset = byte_offset(span.file, span.line, span.column)
        end = {"endline": str(span.end_line)} if span.end_line else {}
        start = {"startline": str(span.line)}
        return {**several, **start, **end, **({} if offset is None else {"startoffset": str(offset)})}

    # --- correctness ---

    def correctness(self, invariants: tuple[SourceInvariant, ...]) -> None:
        """A node for each loop that has an invariant; at other places the format has no word for *before*."""
        self._describe("correctness_witness")
        entry = self._node({"entry": "true"})
        for invariant in (one for one in invariants if one.kind == "loop"):
            node = self._node({"invariant": invariant.text, "invariant.scope": invariant.function})
            self._edge(entry, node, {**self._place(invariant.span), "enterLoopHead": "true"})


def _assumptions(passage: Passage) -> Iterator[Data]:
    """What holds after a statement, an edge each: inputs, and variables that it changed."""
    named = {value for _, value in passage.after}
    for function, value in passage.inputs:
        if value not in named:  # else the variable that got it says so
            result = {"assumption.resultfunction": function, "assumption.scope": passage.function}
            yield {"assumption": f"\\result == {value}", **result}
    if passage.after:
        yield {"assumption": conjunction(passage.after), "assumption.scope": passage.function}


def conjunction(values: Values) -> str:
    """The variables have these values, in C."""
    return " && ".join(f"{name} == {value}" for name, value in values)


def _called(passage: Passage, claim: Claim) -> str | None:
    """The error function, if the failing statement is a call of it."""
    for formula in claim.formulas:
        name = formula.removeprefix("G ! call(").removesuffix("())")
        if name != formula and passage.text.startswith(f"{name}("):
            return name
    return None


def _add_data(element: ET.Element, data: Data) -> None:
    for key, value in data.items():
        ET.SubElement(element, "data", key=key).text = visible_lines(value)
