"""Where Python code reads text back that was written for people.

Notes, facts, failures and reasons are data until ``wording`` or ``reports`` makes words of them. An attribute
or a variable with one of the names below holds such words: what it holds may be shown and put together, but
not taken apart, searched, or compared with a text.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

WORDS = frozenset({"message", "note", "reason", "facts", "fact", "why", "phrase", "frame"})
"""What words are called: attributes of failures, events, traces and verdicts."""

TESTS = frozenset({"startswith", "endswith", "split", "rsplit", "partition", "rpartition", "find", "rfind"})
CUTS = frozenset({"removeprefix", "removesuffix", "index", "rindex"})
"""Methods of strings that look into a text."""

MATCHES = frozenset({"match", "search", "fullmatch", "findall", "finditer", "sub", "split"})
"""Functions of regular expressions."""

BELOW = ("analyses", "base", "frontend", "logic", "program", "solvers")
"""Rooms that read what others write: C, what clang and solvers say, programs as text."""

READERS_OF_TEXT = {
    "cli/arguments.py": "arguments",
    "cli/configuration.py": "a configuration file",
    "cli/watched_build.py": "names of compilers",
    "engines/symmetry/seeds.py": "a file of predicates",
    "evidence/argument_texts.py": "bytes of arguments, to show them",
    "evidence/names.py": "paths in C objects",
    "evidence/source_invariants/variables.py": "names of registers",
    "memory_models/parsing.py": "models in cat",
    "native/build.py": "what the compiler prints",
    "native/replay.py": "what the program prints",
    "native/schedule.py": "names of functions",
    "reports/explanation/arithmetic.py": "operands of a C expression",
    "reports/html/code.py": "C, to colour it",
    "reports/html/page.py": "markup",
    "reports/html/paragraphs.py": "markup",
    "reports/html/violation.py": "markup",
    "reports/json_validation.py": "patterns of a schema",
    "reports/lines.py": "words, to break lines",
    "reports/sources.py": "C",
    "reports/witnesses/passages.py": "C",
    "verification/component_doubts.py": "a C expression",
    "verification/expectations.py": "names of benchmarks",
    "verification/property_files.py": "property files",
    "verification/suppressions.py": "comments in C",
    "verification/witnesses/as_written.py": "C",
    "verification/witnesses/effects.py": "C",
    "verification/witnesses/expressions.py": "C",
    "verification/witnesses/instrumented.py": "C",
    "verification/witnesses/variables.py": "C",
    "wording/topics.py": "the texts of topics, to wrap them",
}
"""The modules of other rooms that use regular expressions, and what they read with them."""


def lookups(source: str) -> Iterator[tuple[int, str]]:
    """The lines that look into words, and how."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=of), args=args):
                is_test = name in TESTS | CUTS and _is_words(of) and bool(args)  # no argument: white space
                if is_test or (name in MATCHES and any(map(_is_words, args))):
                    yield node.lineno, ast.unparse(node)
            case ast.Compare(left=left, ops=ops, comparators=others):
                if any(_asks(op, a, b) for op, a, b in zip(ops, [left, *others], others, strict=False)):
                    yield node.lineno, ast.unparse(node)
            case _:
                pass


def _asks(op: ast.cmpop, left: ast.expr, right: ast.expr) -> bool:
    """Whether a comparison asks what words say; whether there are any is no such question."""
    if isinstance(op, ast.In | ast.NotIn):
        return _is_words(right) and (_is_text(left) or _is_constant(left))
    return isinstance(op, ast.Eq | ast.NotEq) and (
        (_is_words(left) and _is_text(right)) or (_is_words(right) and _is_text(left))
    )


def _is_text(node: ast.expr) -> bool:
    is_literal = isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""
    return is_literal or isinstance(node, ast.JoinedStr)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.isupper()


def _is_words(node: ast.expr) -> bool:
    """Whether an expression is words: so called, or made of what is."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in WORDS
        case ast.Call(func=ast.Name(id="str"), args=[of]):
            return _is_words(of)
        case ast.Call(func=ast.Attribute(value=of, attr="lower" | "strip")) | ast.Subscript(value=of):
            return _is_words(of)
        case ast.IfExp(body=one, orelse=other):
            return _is_words(one) or _is_words(other)
        case _:
            return False


def imports_regular_expressions(source: str) -> bool:
    """Whether a module imports ``re``."""
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import))
    return any(alias.name == "re" for node in imports for alias in node.names)


def of_rooms(root: Path) -> Iterator[tuple[str, str]]:
    """The modules below a package's folder, but those of some rooms, by path, with their text."""
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if name.partition("/")[0] not in BELOW:
            yield name, path.read_text()
