"""Program -> Graphviz, for people: a cluster per function, C text and lines on the edges, errors in red."""

from sley.program.printer import FunctionPrinter
from sley.program.program import Edge, Function, Program

_HEADER = (
    "digraph program {",
    '  graph [fontname="Helvetica", rankdir=TB];',
    '  node [fontname="Helvetica", shape=circle, width=0.3, fixedsize=true, fontsize=9];',
    '  edge [fontname="monospace", fontsize=9];',
)
_MAX_LABEL = 80


def to_dot(program: Program) -> str:
    """The graph of the whole program."""
    lines = list(_HEADER)
    for number, each in enumerate(program.functions.values()):
        lines.extend(_cluster(program, each, number))
    return "\n".join([*lines, "}"]) + "\n"


def _cluster(program: Program, function: Function, number: int) -> list[str]:
    def node(location: int) -> str:
        return f"n{number}_{location}"

    lines = [f"  subgraph cluster_{number} {{", f"    label={_quoted(function.c_name)};"]
    used = {location for edge in function.edges for location in (edge.source, edge.target)}
    lines += [
        f"    {node(location)} [{_node_attributes(function, location)}];"
        for location in function.locations
        if location in used or location == function.entry
    ]
    printer = FunctionPrinter(program, function)
    lines += [
        f"    {node(edge.source)} -> {node(edge.target)} [{_edge_attributes(printer, function, edge)}];"
        for edge in function.edges
    ]
    return [*lines, "  }"]


def _node_attributes(function: Function, location: int) -> str:
    attributes = f'label="{location}"'
    if location in function.errors:
        message = function.errors[location].message
        attributes += f", color=red, fontcolor=red, style=bold, tooltip={_quoted(message)}"
    elif location == function.entry:
        attributes += ", style=bold"
    elif location == function.exit:
        attributes += ", shape=doublecircle"
    return attributes


def _edge_attributes(printer: FunctionPrinter, function: Function, edge: Edge) -> str:
    label = _shortened(printer.instruction(edge.instruction))
    origin = edge.origin
    if origin.text or origin.span is not None:
        line = f"{origin.span.line}: " if origin.span is not None else ""
        label = f"{_shortened(line + origin.text)}\n{label}"
    colour = ", color=red" if edge.target in function.errors else ""
    return f"label={_quoted(label)}{colour}"


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_LABEL else text[: _MAX_LABEL - 1] + "…"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
