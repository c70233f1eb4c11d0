"""What came out so far, in a file that grows line by line: an interrupted comparison goes on from there."""

import fcntl
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench.running.runs import Outcome

from sley.base.errors import InputError
from sley.base.source import Span

RESULTS = "results.jsonl"


class Records:
    """The lines of a file: how verifiers are called, which tasks were drawn, and the runs that have ended."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / RESULTS
        self._file = self.path.open("a+", encoding="utf-8")
        self.outcomes: dict[tuple[str, str], Outcome] = {}
        self.settings: dict[str, Any] = {}
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._read()
        except (BlockingIOError, ValueError, TypeError, KeyError) as error:
            self._file.close()
            busy = "another run is writing here"
            message = busy if isinstance(error, OSError) else "these are no results of a comparison"
            raise InputError(message, Span(str(self.path), 1, 1)) from None

    def _read(self) -> None:
        for entry in self._entries():
            if "outcome" in entry:
                outcome = Outcome.from_json(entry["outcome"])
                self.outcomes[outcome.key()] = outcome
            else:
                self.settings |= entry

    def _entries(self) -> Iterable[dict[str, Any]]:
        """All whole lines; half of one is what an interruption may leave, and is cut off."""
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind("\n") + 1]
        entries = [json.loads(line) for line in whole.splitlines()]
        self._file.truncate(len(whole.encode()))
        return entries

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def settle(self, name: str, value: Mapping[str, object]) -> None:
        """Write a setting down; if it was another one when the results were made, they do not compare."""
        if name not in self.settings:
            self.settings[name] = dict(value)
            self._write({name: value})
        before = self.settings[name]
        changed = [key for key in {**before, **value} if before.get(key) != value.get(key)]
        if changed:
            differences = "; ".join(f"{key}: {before.get(key)}, now {value.get(key)}" for key in changed)
            place = Span(str(self.path), 1, 1)
            raise InputError(f"other results are here, of {name} ({differences}); name another folder", place)

    def add(self, outcome: Outcome) -> None:
        """A run has ended."""
        self.outcomes[outcome.key()] = outcome
        self._write({"outcome": outcome.as_json()})

    def _write(self, entry: Mapping[str, object]) -> None:
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()
