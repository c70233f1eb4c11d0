"""The way from the command line to the first step of an engine leads through few rooms, and the source has no
cycle of imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.walk import SOURCE, before_engine, rooms, walk

EXAMPLE = str(SOURCE.parents[1] / "examples" / "lost_update.c")
MOST_CHANGES = 22
"""Changes of room. With what the front end and the passes call in other rooms there are about 30 more."""


@pytest.mark.parametrize("engine", ["explore", "bmc", "abstract"])
def test_an_engine_begins_after_few_rooms(engine: str) -> None:
    found = rooms(before_engine(walk("check", "--engine", engine, EXAMPLE), engine))
    assert found[0][0] == "cli"
    assert found[-1][0] == "engines"
    assert len(found) - 1 <= MOST_CHANGES
    visits = [room for room, _ in found]
    for pipeline in ("frontend", "cli"):
        assert visits.count(pipeline) <= 2, f"{pipeline} is left and entered again"


# --- imports -------------------------------------------------------------------------------------------


def modules() -> dict[str, Path]:
    paths = (path for path in SOURCE.rglob("*.py"))
    names = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a module imports, at its head or inside functions, but not for types alone."""
    waiting: list[ast.AST] = [ast.parse(path.read_text())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        waiting += ast.iter_child_nodes(node)


def cycle_in(graph: dict[str, list[str]]) -> list[str]:
    """Modules that import each other; empty if none do."""
    left = {name: set(others) & graph.keys() for name, others in graph.items()}
    while ends := [name for name, others in left.items() if not others & left.keys()]:
        for name in ends:
            del left[name]
    if not left:
        return []
    path = [next(iter(left))]
    while path[-1] not in path[:-1]:
        path.append(next(other for other in sorted(left[path[-1]]) if other in left))
    return path[path.index(path[-1]) :]


def test_no_modules_import_each_other() -> None:
    known = modules()
    graph = {name: list(imported(path, known)) for name, path in known.items()}
    assert cycle_in(graph) == []


def test_a_cycle_is_found() -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": []}
    assert cycle_in(graph) == ["b", "c", "b"]
    assert cycle_in({**graph, "c": ["d"]}) == []
