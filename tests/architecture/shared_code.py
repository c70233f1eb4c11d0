"""What a checker shares with its engine, from the import graph: a table for ARCHITECTURE.md.

``python -m tests.architecture.shared_code`` writes the table anew. A module counts as shared if both import
it, directly or not, whichever of its lines they use; so the shared lines are an upper bound. The room
``base`` counts as shared in any case: it decides nothing.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
DOCUMENT = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- shared code -->\n", "<!-- end of shared code -->\n"

ROOMS = ("evidence", "laws", "semantics", "analyses", "solvers", "program", "memory_models", "logic", "base")

CHECKERS = {
    "explore": "sley.evidence.closed_states.check",
    "impact": "sley.evidence.reachability_tree.check",
    "bmc": "sley.evidence.bounded.check",
    "modular": "sley.evidence.modular.check",
    "symmetry": "sley.evidence.symmetric.check",
    "abstract": "sley.evidence.fixpoint.check",
}
"""By engine."""

RUNS = {
    "explore": "sley.evidence.closed_states.runs",
    "impact": "sley.evidence.reachability_tree.runs",
    "bmc": "sley.evidence.bounded.runs",
    "modular": "sley.evidence.modular.runs",
    "symmetry": "sley.evidence.symmetric.runs",
    "abstract": "sley.evidence.fixpoint.runs",
}
"""By engine: who holds concrete runs against its proofs."""

SOLVERS = {
    "Bitwuzla": r'make_solver\("bitwuzla"|make_sat_solver\(',
    "Z3": r'make_solver\("z3"',
    "CaDiCaL": r'make_sat_solver\("cadical"',
    "MiniSat": r'make_sat_solver\("minisat"',
}
"""Solver -> the calls by which one gets it."""


def file_of(module: str) -> Path | None:
    """Where a module is; None if it is none of ours."""
    path = SOURCE / module.replace(".", "/")
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def imported(module: str) -> frozenset[str]:
    """The modules of ours that a module imports itself, the packages that they are in among them."""
    path = file_of(module)
    assert path is not None
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    packages = {name.rsplit(".", cut)[0] for name in found for cut in range(1, name.count(".") + 1)}
    return frozenset(name for name in found | packages if name.startswith("sley.") and file_of(name))


def reached(module: str) -> set[str]:
    """The module and all that it imports, directly or not."""
    seen, waiting = {module}, [module]
    while waiting:
        new = imported(waiting.pop()) - seen
        seen |= new
        waiting += new
    return seen


def lines(modules: set[str]) -> int:
    """How many lines modules have together."""
    paths = {path for module in modules if (path := file_of(module)) is not None}
    return sum(len(path.read_text().splitlines()) for path in paths)


def solvers(modules: set[str]) -> str:
    """The solvers that are asked in these modules."""
    text = "".join(path.read_text() for module in sorted(modules) if (path := file_of(module)) is not None)
    return ", ".join(name for name, call in SOLVERS.items() if re.search(call, text)) or "none"


def rows() -> Iterator[Mapping[str, str | int]]:
    """The table."""
    for engine in CHECKERS:
        of_engine = reached(f"sley.engines.{engine}.engine")
        for what, module in (("checker", CHECKERS[engine]), ("runs", RUNS.get(engine))):
            if module is not None:
                yield _row(f"{engine}: {what}", reached(module), of_engine)


def _row(name: str, checker: set[str], engine: set[str]) -> Mapping[str, str | int]:
    shared = {module for module in checker if module in engine or module.startswith("sley.base.")}
    in_room = {room: lines({m for m in shared if m.split(".")[1] == room}) for room in ROOMS}
    return {
        "of": name,
        "its own lines": lines(checker - shared),
        "shared with the engine": lines(shared),
        **in_room,
        "its solver": solvers({m for m in checker if not m.startswith("sley.solvers")}),
        "the engine's": solvers({m for m in engine - checker if not m.startswith("sley.solvers")}),
    }


def table() -> str:
    """The table as text, numbers rounded."""
    content = list(rows())
    heads = list(content[0])
    texts = [[str(round(v, -1)) if isinstance(v, int) else v for v in row.values()] for row in content]
    marks = ["---:" if isinstance(v, int) else "---" for v in content[0].values()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, marks, *texts))


def main() -> None:
    """Write the table into the document."""
    before, rest = DOCUMENT.read_text().split(BEGIN)
    _, after = rest.split(END)
    DOCUMENT.write_text(before + BEGIN + table() + END + after)


if __name__ == "__main__":
    main()
