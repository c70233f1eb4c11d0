"""The files of a library with its harness: what is read instead of them."""

from collections.abc import Sequence

from sley.base.errors import InputError
from sley.frontend.compilation_database import SourceFile
from sley.frontend.harness.plan import NAME, Harness
from sley.frontend.harness.write import Writer
from sley.frontend.parse import Parser


def with_harness(files: Sequence[SourceFile], harness: Harness, parser: Parser) -> list[SourceFile]:
    """The harness, and the files that it does not include."""
    writer = Writer(harness, [parser.parse(file.path, file.flags) for file in files])
    included = [file for file in files if str(file.path) in writer.includes]
    others = [file for file in files if file not in included]
    if len({file.flags for file in included}) > 1:
        names = " and ".join(str(file.path) for file in included)
        raise InputError(f"argument --entry: {names} are compiled in different ways: name functions of one")
    beside = [f"-I{folder}" for folder in dict.fromkeys(file.path.parent for file in included)]
    return [SourceFile(NAME, (*beside, *included[0].flags), writer.text()), *others]
