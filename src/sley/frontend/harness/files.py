"""The files of a library with its harness: what is read instead of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sley.base.errors import InputError
from sley.frontend.compilation_database import SourceFile
from sley.frontend.harness.plan import NAME, Harness
from sley.frontend.harness.write import HarnessWriter
from sley.frontend.parse import SourceParser

TOGETHER = "in the harness, which includes the files of all functions that are named: name those of one"


def with_harness(files: Sequence[SourceFile], harness: Harness, parser: SourceParser) -> list[SourceFile]:
    """The harness, and the files that it does not include."""
    writer = HarnessWriter(harness, [parser.parse(file.path, file.flags) for file in files])
    included = [file for file in files if str(file.path) in writer.includes]
    others = [file for file in files if file not in included]
    if len({file.flags for file in included}) > 1:
        names = " and ".join(str(file.path) for file in included)
        raise InputError(f"argument --entry: {names} are compiled in different ways: name functions of one")
    beside = [f"-idirafter{folder}" for folder in dict.fromkeys(file.path.parent for file in included)]
    return [SourceFile(NAME, (*beside, *included[0].flags), writer.text()), *others]


@contextmanager
def errors_of_harness(files: Sequence[SourceFile]) -> Iterator[None]:
    """C errors in a harness: each of the files that it includes is right, so they do not go together."""
    try:
        yield
    except InputError as error:
        if any(file.text is not None for file in files):
            error.message += f" ({TOGETHER})"
        raise
