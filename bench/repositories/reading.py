"""What of public repositories can be read, and which library functions they call that have no model.

    python -m bench.repositories.reading FOLDER... [--json FILE]

Each folder is a work tree. Every C file below it is parsed by itself, with headers as `sley check FOLDER`
finds them; a file that is not read counts under the first words of the reason. A function counts once for
each repository that calls it by name, if a header of the system declares it and the repository does not
define it.
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

from sley.base.errors import InputError, UnsupportedFeatureError
from sley.frontend.builtins import handler_of
from sley.frontend.compilation_database import SourceFile, source_files
from sley.frontend.contract import row_of
from sley.frontend.data_model import DataModel
from sley.frontend.parse import ParseOptions, SourceParser, TranslationUnit

_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_NOT_CODE = re.compile(rb'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_ASSEMBLY = re.compile(rb"\b(?:asm|__asm|__asm__)\b\s*(?:volatile|__volatile__)?\s*\(")


class Read:
    """What was found in one repository."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name.replace("+", "/")
        self.files = 0
        self.refused = Counter[str]()
        self.assembly = 0
        self.called: set[str] = set()
        self.defined: set[str] = set()
        for file in source_files([folder], DataModel.LP64):
            self._read(file)

    def _read(self, file: SourceFile) -> None:
        self.files += 1
        try:
            unit = SourceParser(ParseOptions()).parse(file.path, file.flags)
        except (InputError, UnsupportedFeatureError) as error:
            self.refused[_reason(error)] += 1
            return
        text = _NOT_CODE.sub(b" ", file.path.read_bytes())
        self.assembly += len(_ASSEMBLY.findall(text))
        self.defined |= set(unit.functions)
        self.called |= _called(unit, text)

    def missing(self) -> list[str]:
        """Functions of the library that are called, and have no model."""
        return sorted(name for name in self.called - self.defined if not _has_model(name))

    def as_json(self) -> dict[str, object]:
        """All that was counted."""
        return {
            "name": self.name,
            "files": self.files,
            "refused": dict(self.refused),
            "assembly": self.assembly,
            "missing": self.missing(),
        }


def _called(unit: TranslationUnit, text: bytes) -> set[str]:
    named = {name.decode() for name in _CALLED.findall(text)}
    return {name for name, is_of_system in unit.left_open() if is_of_system and name in named}


def _has_model(name: str) -> bool:
    return row_of(name) is not None or handler_of(name) is not None or name.startswith(("__sley", "_mm_"))


def _reason(error: Exception) -> str:
    """The kind of a refusal: its words without what is quoted, but for the name of a header."""
    said = str(error).split(": ", 1)[-1]
    header = re.search(r"'([^']+)' file not found", said)
    return f"{Path(header[1]).name} not found" if header else re.sub(r"['`][^'`]*['`]", "…", said)[:60]


def main() -> int:
    """Read folders, and print what they have in common."""
    parser = argparse.ArgumentParser(prog="python -m bench.repositories.reading")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--json", type=Path, help="write the counts of each repository")
    asked = parser.parse_args()
    found: list[Read] = []
    for folder in asked.folders:
        one = Read(folder)
        found.append(one)
        shown = ", ".join(f"{count} of {reason}" for reason, count in one.refused.most_common(3))
        sys.stdout.write(f"{one.name:35} {one.files:4} files, {one.refused.total():4} not read: {shown}\n")
        sys.stdout.flush()
    counts = Counter(name for one in found for name in one.missing())
    for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        sys.stdout.write(f"{count:4} {name}\n")
    if asked.json is not None:
        asked.json.write_text(json.dumps([one.as_json() for one in found], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
