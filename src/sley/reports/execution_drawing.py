"""An execution as a picture: threads side by side, and the relations that memory models speak of.

P0               P1
a: W x=1         c: W y=1
b: R y=0         d: R x=0

po  a -> b, c -> d       fr  b -> c, d -> a
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from string import ascii_lowercase

from sley.evidence.execution_graph import ExecutionGraph, GraphNode, Pair
from sley.evidence.trace import ThreadInfo
from sley.reports.lines import Line, Segment, hanging, line, shortened, thread_style

MOST_COLUMN = 30
_COLOURS = {"po": "#333333", "rf": "#c0392b", "co": "#2471a3", "fr": "#b9770e"}
_NAMES = {
    "rf": "reads from",
    "co": "is overwritten by",
    "fr": "reads what is overwritten by",
}
"""What a pair of a relation means, the first event before it."""


class ExecutionDrawing:
    """The execution of some threads, events named by letters."""

    def __init__(self, graph: ExecutionGraph, threads: Sequence[ThreadInfo]) -> None:
        self.graph = graph.of_threads([thread.id for thread in threads])
        self.threads = threads
        self.relations: Mapping[str, list[Pair]] = {
            "po": list(self.graph.po),
            "rf": list(self.graph.rf),
            "co": list(self.graph.co),
            "fr": list(self.graph.fr),
        }

    def of(self, thread: int) -> list[int]:
        """The events of a thread."""
        return [number for number, node in enumerate(self.graph.nodes) if node.thread == thread]

    def cycle(self) -> str:
        """A shortest way from an event back to itself, which no interleaving has; empty if there is none."""
        way = self._way()
        if not way:
            return ""
        start, *rest = way
        return letter(start[1]) + "".join(f" -{name}-> {letter(number)}" for name, number in rest)

    def reordered(self) -> Iterator[tuple[str, GraphNode, GraphNode]]:
        """Accesses of one thread that follow each other in that cycle: the order of some is not kept.

        Those with a fence between are only mentioned if all have one.
        """
        names, nodes = {thread.id: thread.name for thread in self.threads}, self.graph.nodes
        runs: list[list[GraphNode]] = []
        for (_, a), (name, b) in pairwise(self._way()):
            if name == "po" and runs and runs[-1][-1] is nodes[a]:
                runs[-1].append(nodes[b])
            elif name == "po":
                runs.append([nodes[a], nodes[b]])
        free = [run for run in runs if all(node.kind != "F" for node in run)]
        for run in free or runs:
            yield names[run[0].thread], run[0], run[-1]

    def _way(self) -> list[tuple[str, int]]:
        steps: dict[int, list[tuple[str, int]]] = {}
        for name, pairs in self.relations.items():
            for first, second in pairs:
                steps.setdefault(first, []).append((name, second))
        found = [way for start in steps if (way := _way_back(steps, start)) is not None]
        return min(found, key=len, default=[])


def _way_back(steps: Mapping[int, Sequence[tuple[str, int]]], start: int) -> list[tuple[str, int]] | None:
    """A shortest way from an event to itself, by breadth-first search."""
    ways, seen = [[("", start)]], set[int]()
    for way in ways:
        for name, number in steps.get(way[-1][1], ()):
            if number == start:
                return [*way, (name, number)]
            if number not in seen:
                seen.add(number)
                ways.append([*way, (name, number)])
    return None


def letter(number: int) -> str:
    """The name of an event."""
    round_, index = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[index] + (str(round_) if round_ else "")


def label(number: int, node: GraphNode) -> str:
    """An event in a few characters: ``a: W[release] x=1``, ``b: lwsync``."""
    if node.kind == "F" and node.origin.text.isalnum():
        return f"{letter(number)}: {node.origin.text.lower()}"
    order = f"[{node.order}]" if node.order else ""
    what = f" {node.place}={node.value}" if node.place else ""
    return f"{letter(number)}: {node.kind}{order}{what}"


def drawing_lines(drawing: ExecutionDrawing, *, width: int) -> list[Line]:
    """For a terminal."""
    columns = [drawing.of(thread.id) for thread in drawing.threads]
    texts = [[label(n, drawing.graph.nodes[n]) for n in column] for column in columns]
    room = max(10, min(MOST_COLUMN, (width - 7) // max(1, len(columns))))
    heads = [thread.name for thread in drawing.threads]
    lines = [line("")]
    for row in (heads, *zip_longest(*texts, fillvalue="")):
        cells = (
            Segment(f"{shortened(text, room - 2):<{room}}", thread_style(thread.id))
            for thread, text in zip(drawing.threads, row, strict=True)
        )
        lines.append(line("       ", *cells))
    return [*lines, line(""), *_relations(drawing, width)]


def _relations(drawing: ExecutionDrawing, width: int) -> Iterator[Line]:
    for name, meaning in _NAMES.items():
        texts = [_pair(name, pair, meaning) for pair in drawing.relations[name]]
        if name == "rf":
            first = [read for read, write in drawing.graph.sources.items() if write is None]
            texts += [f"{letter(read)} reads the first value" for read in first]
        for part in hanging(", ".join(texts), width - 7) if texts else ():
            yield line(Segment(f" {name:<5} ", "label"), part)
            name = ""


def _pair(name: str, pair: Pair, meaning: str) -> str:
    first, second = pair if name != "rf" else pair[::-1]
    return f"{letter(first)} {meaning} {letter(second)}"


# --- as a graph ------------------------------------------------------------------------------------------


def drawing_dot(drawing: ExecutionDrawing, title: str) -> str:
    """One cluster per thread; program order downwards, the other relations in colours."""
    lines = [
        "digraph execution {",
        f'  graph [fontname="Helvetica", rankdir=TB, label={_quoted(title)}];',
        '  node [fontname="monospace", shape=plaintext, fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=9];',
    ]
    for thread in drawing.threads:
        lines += [f"  subgraph cluster_{thread.id} {{", f"    label={_quoted(thread.name)};"]
        events = ((n, label(n, drawing.graph.nodes[n])) for n in drawing.of(thread.id))
        lines += [f"    e{number} [label={_quoted(text)}];" for number, text in events]
        lines.append("  }")
    for name, pairs in drawing.relations.items():
        colour = f'color="{_COLOURS[name]}", fontcolor="{_COLOURS[name]}"'
        loose = "" if name == "po" else ", constraint=false"
        lines += [f"  e{a} -> e{b} [label={name}, {colour}{loose}];" for a, b in pairs]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
