"""Tables in documents: each is what a command printed, put there by `make tables` and by nothing else.

    python -m bench.documents [--only NAME] [--limit SECONDS] [--list]

A table stands between two markers, with the command, the day, the revision and the machine. The second
marker has a digest of what is between them, so that a table that was changed by hand, or moved by itself,
is noticed (``tests/bench/test_documents.py``).
"""

import argparse
import hashlib
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


@dataclass(frozen=True, slots=True)
class Table:
    """What a command prints, in a document."""

    name: str
    document: str
    command: tuple[str, ...]
    """A module and its arguments; the limit of CPU time is added."""


TABLES = (
    Table("weak", "machines.md", ("bench.weak.tables",)),
    *(
        Table(f"impact-{name}", "impact.md", ("bench.impact.tables", "--table", name))
        for name in ("nodes", "best")
    ),
    *(
        Table(f"symmetry-{name}", "bench-symmetry.md", ("bench.symmetry.tables", "--table", name))
        for name in ("published", "threads", "active", "any", "unsafe")
    ),
)


@dataclass(frozen=True, slots=True)
class Written:
    """A table as it stands in a document."""

    name: str
    text: str
    digest: str

    @property
    def is_untouched(self) -> bool:
        return digest_of(self.text) == self.digest


_WRITTEN = re.compile(
    r"<!-- table (?P<name>[\w-]+) -->\n(?P<text>.*?)<!-- end of table (?P=name) (?P<digest>\w*) -->\n",
    re.DOTALL,
)


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def written_in(document: str) -> Iterator[Written]:
    """The tables of a document's text."""
    for found in _WRITTEN.finditer(document):
        yield Written(found["name"], found["text"], found["digest"])


def without_written(document: str) -> str:
    """What is left of a document's text."""
    return _WRITTEN.sub("", document)


def with_table(document: str, name: str, text: str) -> str:
    """A document's text with another table of this name."""
    marked = f"<!-- table {name} -->\n{text}<!-- end of table {name} {digest_of(text)} -->\n"
    places = [one for one in _WRITTEN.finditer(document) if one["name"] == name]
    if len(places) != 1:
        raise SystemExit(f"there is not one place for table {name}")
    return document[: places[0].start()] + marked + document[places[0].end() :]


# --- making them -----------------------------------------------------------------------------------


def provenance(table: Table, limit: int) -> str:
    """The command, the day, the revision and the machine, as a sentence."""
    command = " ".join(table.command)
    revision = _output("git", "-C", str(ROOT), "describe", "--always").strip() + _changed()
    day = datetime.now(UTC).date().isoformat()
    python = platform.python_version()
    return (
        f"`python -m {command} --time-limit {limit}` ({limit} s of processor time for each run), {day},\n"
        f"revision {revision}, {_processor()}, {os.cpu_count()} cores, Python {python}:\n"
    )


def _changed() -> str:
    """What is said of a revision if what is measured is not quite it; documents are not measured."""
    changed = _output("git", "-C", str(ROOT), "status", "--porcelain", "--", "src", "bench")
    return "-dirty" if changed else ""


def _processor() -> str:
    models = re.findall(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return models[0].strip() if models else platform.machine()


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def make(table: Table, limit: int) -> None:
    """Run the command, and put what it prints into the document."""
    command = [sys.executable, "-m", *table.command, "--time-limit", str(limit)]
    head = provenance(table, limit)
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        raise SystemExit(
            f"table {table.name}: the command ended with {done.returncode}, and nothing was written"
        )
    lines = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
    path = DOCS / table.document
    path.write_text(with_table(path.read_text(), table.name, f"\n{head}\n```text\n{lines}\n```\n\n"))


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make the tables of the documents again.")
    names = [table.name for table in TABLES]
    parser.add_argument("--only", choices=["", *names], action="append", help="this table only")
    parser.add_argument("--limit", type=int, default=60, metavar="SECONDS", help="of each run")
    parser.add_argument("--list", action="store_true", help="the names of the tables")
    chosen = parser.parse_args(given)
    wanted = [name for name in chosen.only or () if name] or names
    for table in TABLES:
        if table.name in wanted and chosen.list:
            print(f"{table.name:<20} docs/{table.document:<20} python -m {' '.join(table.command)}")
        elif table.name in wanted:
            make(table, chosen.limit)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
