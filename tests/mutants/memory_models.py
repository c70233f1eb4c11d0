"""``python -m tests.mutants.memory_models``: faults in how texts of memory models are read and asked.

Each is put into a copy of the source, one at a time. A question that is right without it must become wrong:
what texts mean, published verdicts, or whether the formulas of the engine and of the checker admit just what
the definition allows on random programs.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

TEXTS = "tests/unit/memory_models/test_texts.py"
VERDICTS = "tests/unit/semantics/test_hardware.py"
LITERALS = "tests/unit/memory_models/test_literals.py"
FORMULAS = "tests/unit/engines/test_bmc_machine.py"


class Fault(NamedTuple):
    """One fault: what a file has instead."""

    what: str
    file: str
    right: str
    wrong: str
    caught_by: str


FAULTS = (
    Fault(
        "a sequence binds weaker than a union",
        "memory_models/parsing.py",
        "(Operator.UNION, Operator.SEQUENCE,",
        "(Operator.SEQUENCE, Operator.UNION,",
        TEXTS,
    ),
    Fault(
        "a star between two sets is a closure",
        "memory_models/parsing.py",
        'self.next.text == "*" and self.tokens[self.at + 1].begins',
        "False",
        TEXTS,
    ),
    Fault("comments end too early", "memory_models/parsing.py", "if not depth:", "if depth < 2:", TEXTS),
    Fault(
        "what is taken away may be recursive",
        "memory_models/model.py",
        "taken = parts[1:] if operator is Operator.DIFFERENCE else ()",
        "taken = ()",
        TEXTS,
    ),
    Fault(
        "a closure is not one",
        "memory_models/evaluation.py",
        "return carrier.closure(part)",
        "return part",
        TEXTS,
    ),
    Fault(
        "a release orders nothing before it",
        "memory_models/armv8.cat",
        "        | po; [L]\n",
        "",
        VERDICTS,
    ),
    Fault(
        "writes propagate as they like",
        "memory_models/power.cat",
        "acyclic co | prop as propagation",
        "acyclic co as propagation",
        VERDICTS,
    ),
    Fault(
        "the engine's order has what fences keep only if they happen",
        "engines/bmc/formula/literals.py",
        "if row >> b & 1 and not rows[b] & ~row",
        "if row >> b & 1",
        FORMULAS,
    ),
    Fault(
        "the engine knows one way to be in a relation",
        "engines/bmc/formula/literals.py",
        "found[pair] = [ALWAYS] if ALWAYS in ways else list(dict.fromkeys(ways))",
        "found[pair] = ways[:1]",
        FORMULAS,
    ),
    Fault(
        "the engine does not ask whether the event between happens",
        "engines/bmc/formula/literals.py",
        "self._way((self.happen[a], self.happen[b], self.happen[c]), a, c)",
        "ALWAYS",
        FORMULAS,
    ),
    Fault(
        "the engine forgets that two reads of a location are in order",
        "engines/bmc/formula/hardware.py",
        '"acyclic po-loc | com": True,',
        '"acyclic po-loc | com": False,',
        FORMULAS,
    ),
    Fault(
        "the engine stops after one round of a fixpoint",
        "engines/bmc/formula/literals.py",
        "while [*map(len, found.values())] != [*map(len, (after := step(found)).values())]:",
        "for after in (step(found),):",
        FORMULAS,
    ),
    Fault(
        "the checker knows one way to be in a relation",
        "evidence/bounded/literals.py",
        "            if literals not in known:\n",
        "            if not known:\n",
        FORMULAS,
    ),
    Fault(
        "the checker's closure is two steps",
        "evidence/bounded/literals.py",
        'lambda given: {"+": self.union((one, self.then(given["+"], one)))}',
        'lambda given: {"+": self.union((one, self.then(one, one)))}',
        LITERALS,
    ),
    Fault(
        "a fence of the checker stands too early",
        "evidence/bounded/machine_axioms.py",
        "before = self.bars[b].after if b in self.bars",
        "before = self.bars[b].after - 2 if b in self.bars",
        FORMULAS,
    ),
)


def source_with(fault: Fault, folder: Path) -> Path:
    """A copy of the source with a fault; ValueError if it does not fit any more."""
    path = ROOT / "src" / "sley" / fault.file
    text = path.read_text()
    if text.count(fault.right) != 1:
        raise ValueError(f"{fault.what}: the fault does not fit {fault.file}")
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "src" / "sley" / fault.file).write_text(text.replace(fault.right, fault.wrong))
    return folder / "src"


def is_caught(fault: Fault) -> bool:
    """Whether the tests that are right without the fault fail with it."""
    with TemporaryDirectory() as folder:
        source = source_with(fault, Path(folder))
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", fault.caught_by]
        environment = {**os.environ, "PYTHONPATH": f"{source}:{ROOT}"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
        return done.returncode == 1


def main() -> int:
    """Put in every fault; 1 if one is not caught."""
    missed = [fault.what for fault in FAULTS if not _told(fault)]
    return 1 if missed else 0


def _told(fault: Fault) -> bool:
    found = is_caught(fault)
    sys.stdout.write(f"{'caught' if found else 'MISSED'}  {fault.what} ({fault.file})\n")
    sys.stdout.flush()
    return found


if __name__ == "__main__":
    sys.exit(main())
