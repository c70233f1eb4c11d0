"""``python -m bench.litmus.lists cbmc|genmc FOLDER``: what other verifiers' suites expect, as tasks.

The suites are not part of this project: FOLDER is a checkout. Standard output is a table of programs with
what is expected of them.

* ``cbmc``: ``regression/goto-instrument-wmm-core``, litmus programs of Alglave, Kroening, Nimal, Tautschnig,
  *Software Verification for Weak Memory via Program Transformation*, ESOP 2013, under ``--model``; without
  those that are marked as known bugs or left for the future, whose results are not what is expected. The
  programs keep registers in memory and count on it that nobody takes that for memory of a machine: on RMO and
  Power, where dependencies count, ``--litmus`` lists the names of the tests in assembly that they come from,
  for ``sley litmus --expected``.
* ``genmc``: ``tests/correct/litmus`` and ``tests/wrong`` with a result for RC11.
"""

import argparse
import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_CBMC = "regression/goto-instrument-wmm-core"
_GENMC = {"correct/litmus": ("true", ""), "wrong/racy": ("false", "race"), "wrong/safety": ("false", "reach")}
"""Of folders what is expected of the programs in them, and of which property (all that are asked)."""

Row = tuple[str, str, str]


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(prog="bench.litmus.lists", description=__doc__)
    parser.add_argument("suite", choices=["cbmc", "genmc"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", choices=["TSO", "PSO", "RMO", "POWER"], default="TSO")
    parser.add_argument("--litmus", action="store_true", help="names of tests in assembly for Power")
    asked = parser.parse_args()
    rows = _cbmc(asked.folder, asked.model) if asked.suite == "cbmc" else _genmc(asked.folder)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if asked.litmus:
        writer.writerow(("test", asked.model.lower()))
        writer.writerows(_litmus(rows))
    else:
        writer.writerow(("file", "property", "expected"))
        writer.writerows(rows)
    return 0


def _litmus(rows: Iterator[Row]) -> Iterator[tuple[str, str]]:
    for file, _, expected in rows:
        if Path(file).parent.name.startswith("ppc_"):
            yield Path(file).stem, "forbidden" if expected == "true" else "allowed"


def _cbmc(folder: Path, model: str) -> Iterator[Row]:
    for description in sorted((folder / _CBMC).glob(f"*_{model}_ALL/test.desc")):
        text = description.read_text()
        kind, program = text.split()[:2]
        verdict = re.search(r"VERIFICATION (SUCCESSFUL|FAILED)", text)
        if kind in ("CORE", "THOROUGH") and verdict is not None:
            expected = "true" if verdict[1] == "SUCCESSFUL" else "false"
            yield str(description.parent / program), "reach", expected


def _genmc(folder: Path) -> Iterator[Row]:
    for part, (expected, prop) in _GENMC.items():
        for test in sorted((folder / "tests" / part).iterdir()):
            if part.startswith("correct") and not list(test.glob("expected.rc11*")):
                continue
            for program in sorted((test / "variants").glob("*.c")):
                for one in (prop,) if prop else ("reach", "race"):
                    yield str(program), one, expected


if __name__ == "__main__":
    sys.exit(main())
