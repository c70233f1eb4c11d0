"""Reading witnesses in GraphML, format 1.0."""

from collections.abc import Mapping

from sley.base.errors import InputError
from sley.frontend.data_model import DataModel
from sley.verification.property_files import read_formulas
from sley.verification.witnesses.document import (
    Automaton,
    Invariant,
    Passing,
    Subject,
    Waypoint,
    Witness,
    WitnessPlace,
    WitnessTransition,
)
from sley.verification.witnesses.expressions import Expression, parse, require_no_call
from sley.verification.witnesses.xml_tree import XmlElement, read_xml

VIOLATION, CORRECTNESS = "violation_witness", "correctness_witness"
_ARCHITECTURES = {"32bit": DataModel.ILP32, "64bit": DataModel.LP64}

Said = Mapping[str, XmlElement]


def read_graphml(text: str, file: str) -> Witness:
    """The witness; InputError, with its place, for what is none."""
    root = read_xml(text, file)
    if root.name != "graphml":
        raise InputError(f"the root is <{root.name}>, not <graphml>", root.span)
    graphs = root.all("graph")
    if len(graphs) != 1:
        raise InputError(f"{len(graphs)} graphs where one is expected", root.span)
    return _GraphmlReader(root, graphs[0]).witness()


class _GraphmlReader:
    def __init__(self, root: XmlElement, graph: XmlElement) -> None:
        self.keys = {key.attribute("id"): key for key in root.all("key")}
        self.graph = graph
        self.said = self._data(graph)
        self.nodes: dict[str, int] = {}
        self.marks: list[Said] = []

    def _data(self, element: XmlElement) -> dict[str, XmlElement]:
        found: dict[str, XmlElement] = {}
        for data in element.all("data"):
            key = data.attribute("key")
            if key not in self.keys:
                raise InputError(f"key `{key}` is not declared", data.span)
            found[key] = data
        return found

    def witness(self) -> Witness:
        kind = self._required("witness-type")
        if kind.text.strip() not in (VIOLATION, CORRECTNESS):
            raise InputError(f"`{kind.text.strip()}` is no type of witness", kind.span)
        subject = self._subject()
        self._read_nodes()
        edges = [self._edge(edge) for edge in self.graph.all("edge")]
        entry = self._entry()
        if kind.text.strip() == CORRECTNESS:
            return Witness(subject, None, tuple(self._invariants(edges)))
        return Witness(subject, self._automaton(entry, edges))

    def _required(self, key: str) -> XmlElement:
        if key not in self.said:
            raise InputError(f"nothing is said about `{key}`", self.graph.span)
        return self.said[key]

    def _subject(self) -> Subject:
        specified = [data for data in self.graph.all("data") if data.attribute("key") == "specification"]
        specification = self._required("specification")
        text = "\n".join(data.text for data in specified)
        architecture = self._required("architecture")
        if architecture.text.strip() not in _ARCHITECTURES:
            raise InputError(f"`{architecture.text.strip()}` is no architecture", architecture.span)
        files = [data for data in self.graph.all("data") if data.attribute("key") == "programfile"]
        hashes = [data for data in self.graph.all("data") if data.attribute("key") == "programhash"]
        self._required("programhash")
        return Subject(
            read_formulas(text, specification.span),
            specification.span,
            _ARCHITECTURES[architecture.text.strip()],
            architecture.span,
            tuple(
                (file.text.strip(), one.text.strip(), one.span)
                for file, one in zip(files, hashes, strict=False)
            ),
        )

    def _read_nodes(self) -> None:
        for node in self.graph.all("node"):
            name = node.attribute("id")
            if name in self.nodes:
                raise InputError(f"a second node `{name}`", node.span)
            self.nodes[name] = len(self.nodes)
            self.marks.append(self._data(node))

    def _entry(self) -> int:
        entries = self._marked("entry")
        if len(entries) != 1:
            raise InputError(
                "no entry node" if not entries else f"{len(entries)} entry nodes", self.graph.span
            )
        return entries[0]

    def _marked(self, key: str) -> list[int]:
        return [n for n, mark in enumerate(self.marks) if key in mark and mark[key].text.strip() == "true"]

    def _edge(self, edge: XmlElement) -> tuple[int, int, XmlElement, Said]:
        ends = [edge.attribute("source"), edge.attribute("target")]
        for end in ends:
            if end not in self.nodes:
                raise InputError(f"an edge with a node `{end}` that does not exist", edge.span)
        return self.nodes[ends[0]], self.nodes[ends[1]], edge, self._data(edge)

    # --- violations ---

    def _automaton(self, entry: int, edges: list[tuple[int, int, XmlElement, Said]]) -> Automaton:
        violations = self._marked("violation")
        if not violations:
            raise InputError("no node of the violation", self.graph.span)
        sinks = frozenset(self._marked("sink"))
        main = self._main(entry, edges)
        self._require_created(main, edges)
        transitions = tuple(
            WitnessTransition(source, target, self._waypoint(edge, said))
            for source, target, edge, said in edges
            if target not in sinks and source != target
        )
        return Automaton(entry, frozenset(violations), transitions, main=main)

    def _main(self, entry: int, edges: list[tuple[int, int, XmlElement, Said]]) -> str | None:
        """The thread that acts first."""
        for key in ("createThread", "threadId"):
            for source, _, _, said in edges:
                is_begin = key == "threadId" or "startline" not in said or "enterFunction" in said
                if source == entry and key in said and is_begin:
                    return said[key].text.strip()
        return None

    def _require_created(self, main: str | None, edges: list[tuple[int, int, XmlElement, Said]]) -> None:
        created = {said["createThread"].text.strip() for *_, said in edges if "createThread" in said}
        for *_, said in edges:
            if "threadId" in said and (name := said["threadId"].text.strip()) not in {main, *created}:
                raise InputError(f"thread {name} acts, but is never created", said["threadId"].span)

    def _waypoint(self, edge: XmlElement, said: Said) -> Waypoint:
        place = self._place(said)
        creates = said["createThread"].text.strip() if "createThread" in said else None
        is_input = "assumption.resultfunction" in said
        passing = Passing.INPUT if is_input else Passing.STATEMENT
        return Waypoint(
            Passing.CREATION if creates is not None and place is not None else passing,
            place,
            edge.span,
            thread=said["threadId"].text.strip() if "threadId" in said else None,
            creates=creates,
            condition=_assumption(said),
        )

    def _place(self, said: Said) -> WitnessPlace | None:
        if "startline" not in said:
            return None
        data = said["startline"]
        function = said["assumption.scope"].text.strip() if "assumption.scope" in said else None
        file = said["originfile"].text.strip() if "originfile" in said else None
        return WitnessPlace(file, _line(data), function=function)

    # --- correctness ---

    def _invariants(self, edges: list[tuple[int, int, XmlElement, Said]]) -> list[Invariant]:
        return [
            self._invariant(node, mark["invariant"], edges)
            for node, mark in enumerate(self.marks)
            if "invariant" in mark and mark["invariant"].text.strip() not in ("1", "true")
        ]

    def _invariant(
        self, node: int, data: XmlElement, edges: list[tuple[int, int, XmlElement, Said]]
    ) -> Invariant:
        """Where a run comes to a node; a loop is entered first by the edge that is first in the text."""
        text = data.text.strip()
        require_no_call(text, data.span)
        arrivals = [said for _, target, _, said in edges if target == node and "startline" in said]
        if not arrivals:
            raise InputError("an invariant at no place: no edge with a line leads to its node", data.span)
        first = min(arrivals, key=lambda said: _line(said["startline"]))
        place = self._place(first)
        assert place is not None
        return Invariant(place, text, "enterLoopHead" in first, data.span, is_exact=False)


def _assumption(said: Said) -> Expression | None:
    data = said.get("assumption")
    return None if data is None else parse(data.text, data.span)


def _line(data: XmlElement) -> int:
    text = data.text.strip()
    if not text.isdigit() or int(text) < 1:
        raise InputError(f"`{text}` is no line", data.span)
    return int(text)


def is_graphml(text: str) -> bool:
    """Whether a file looks like XML."""
    return text.lstrip().startswith("<")
