"""Damaged files beside the C file: whatever is in them, a reader says so in one line, and at once.

    python -m tests.fuzz.files [--seed 1] [--count 20000] [--only KIND]

Files of each format are changed by their grammar (parts left out, doubled, of other kinds, too large, too
deep) and by bytes; the reader of the format may refuse them, and must not fail. What fails is printed with
its number.
"""

import argparse
import contextlib
import io
import json
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from bench.attacks.attack import BUGGY, LOOP, SAFE
from bench.attacks.code import PROPERTY, TASK
from bench.attacks.forged_witnesses import entry, witness
from bench.attacks.sides import DATABASE, LITMUS

from sley.base import outside
from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError
from sley.base.shown import visible
from sley.cli.application import invoke
from sley.cli.commands import make_parser
from sley.cli.configuration import read as read_configuration
from sley.cli.tasks import make_task
from sley.engines.bmc.likely.file import load_likely, write_likely
from sley.engines.bmc.likely.mining import mine
from sley.evidence.encoding.shapes import DamagedError
from sley.frontend.compilation_database import source_files
from sley.frontend.data_model import DataModel
from sley.frontend.litmus.load import load_litmus
from sley.program.program import Program
from sley.reports import json_report
from sley.reports.witnesses.yaml_format import witness_of
from sley.verification.baseline import read_baseline
from sley.verification.engines import ENGINES
from sley.verification.execution import read_schedule
from sley.verification.expectations import from_file
from sley.verification.kept_proofs import read as read_proof
from sley.verification.proof_files import proof_of, read_proof_file
from sley.verification.property_files import Selection, read_property_file
from sley.verification.reading import program_of
from sley.verification.task import Task, everything
from sley.verification.verify import verify
from sley.verification.witnesses.agreement import agreed
from sley.verification.witnesses.yaml_format import read_witness

SECONDS = 60
"""A file that takes longer hangs."""
BASELINE = {
    "format": "sley-baseline", "format_version": "1.0", "open": [{"fingerprint": "a", "count": 1}],
    "undecided": ["race"], "passed_over": ["x"],
}  # fmt: skip
TOML = 'properties = ["reach", "race"]\nfiles = ["*.c"]\ntime-limit = "5s"\nthreads = 2\nmalloc-may-fail = true\ndefine = ["A=1"]\n'
X86 = "X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1.5,
        1e300,
        10**30,
        "",
        "\0",
        "\ud800",
        "\udcff",
        "a\nb",
        "../..",
        "/dev/zero",
        "*.c",
        "**",
        "[",
    ),
    *(
        [],
        {},
        [[]],
        [None],
        {"a": 1},
        "x" * 5000,
        "\x1b[2J",
        "\u202e",
        "-x",
        "@x",
        "true",
        "1",
        "9" * 30,
        "{}",
        "~",
        "|",
        "%s",
    ),
)
TOKENS = (
    *(
        b"\0",
        b"\xff",
        b"\n",
        b"\r\n",
        b"\t",
        b'"',
        b"'",
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b")",
        b":",
        b",",
        b"- ",
        b"#",
        b"&a ",
        b"*a ",
    ),
    *(
        b"!!int ",
        b"<<: ",
        b"? ",
        b"|",
        b"---\n",
        b"...",
        b"%",
        b"=",
        b"/*",
        b"*/",
        b"//",
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"9" * 5000,
    ),
    *(
        b"1e999",
        b"-",
        b"0x",
        b"NaN",
        b"\x1b[2J",
        "\u202e".encode(),
        b"\xef\xbb\xbf",
        b"<!--",
        b"]]>",
        b"&e;",
        b"<a>",
        b"</",
        b"null",
        b"true",
    ),
)

Reader = Callable[[Path], object]


@dataclass(frozen=True)
class Format:
    """Names of files, what is in right ones, and who reads them."""

    name: str
    seeds: tuple[str, ...]
    read: Reader


class _SlowError(Exception):
    """Raised by the clock."""


def formats(folder: Path) -> Mapping[str, Format]:
    """All formats; ``folder`` has the program that files are about."""
    source, looping, wrong = (folder / f"{name}.c" for name in ("safe", "loop", "wrong"))
    wrong.write_text(BUGGY)
    source.write_text(SAFE)
    looping.write_text(LOOP)
    (folder / "p.prp").write_text(PROPERTY)
    task = Task(paths=(source,), jobs=0, keeps_proof=True, wants_invariants=True, engines=("explore",))
    result = verify(task)
    program = program_of(task)
    buggy = verify(Task(paths=(wrong,), jobs=0))
    likely = write_likely(program, mine(program, 5, 1, Budget(60)))
    check = make_parser()[1]["check"]

    def proof(path: Path) -> object:
        saved = read_proof_file(path)
        return [_decoded(one.engine, one, program) for one in saved.proofs]

    def about(file: Path) -> Reader:
        asked = Task(paths=(file,), selection=Selection(everything(task.memory_model).properties))
        return lambda path: agreed(asked, read_witness(path), asks=False, has_model=False)

    def report(path: Path) -> object:
        invoke(["show", "trace", str(path)])
        return invoke(["replay", str(path)])

    kinds = {
        "t.yml": ((TASK,), lambda path: make_task([path], selection=None, data_model=None)),
        "p.prp": ((PROPERTY, PROPERTY.replace("call(reach_error())", "data-race")), read_property_file),
        "compile_commands.json": ((DATABASE,), lambda path: source_files([path], DataModel.LP64)),
        "sley.toml": ((TOML,), lambda path: read_configuration(path, check)),
        "b.json": ((json.dumps(BASELINE),), read_baseline),
        "w.yml": ((witness(LOOP, [entry("i <= 3 && (i >= 0 || i == -1)")]),), about(looping)),
        "v.yml": ((str(witness_of(result, Path("w.yml"))),), about(source)),
        "p.json": ((str(proof_of(result, Path("p.json"))),), proof),
        "t.litmus": ((LITMUS, X86), load_litmus),
        "s.txt": (("0\n1 2\n# x\n0\n",), lambda path: read_schedule(outside.text(path, outside.SCHEDULE), str(path))),
        "r.json": ((json_report.to_text(json_report.report(buggy)),), report),
        "l.yml": ((likely,), lambda path: load_likely(path, program)),
        "e.csv": (("test,c11\nt,allowed\n", "t.litmus,1\n"), from_file),
    }  # fmt: skip
    return {name: Format(name, seeds, read) for name, (seeds, read) in kinds.items()}


def _decoded(name: str, kept: Any, program: Program) -> object:
    if name not in ENGINES:
        return None
    with contextlib.suppress(DamagedError):
        return read_proof(ENGINES[name], kept, program)
    return None


# --- changes ------------------------------------------------------------------------------------------


def changed(seed: str, lot: random.Random) -> bytes:
    """A text by its grammar, if it is a document, or by bytes."""
    if lot.random() < 0.5:
        with contextlib.suppress(ValueError):
            document = json.loads(seed)
            for _ in range(lot.choice((1, 1, 2, 5))):
                document = _by_grammar(document, lot)
            return json.dumps(document, ensure_ascii=lot.random() < 0.8).encode("utf-8", "surrogatepass")
    content = _by_lines(seed, lot).encode() if lot.random() < 0.5 else seed.encode()
    for _ in range(lot.choice((1, 1, 2, 4, 16))):
        content = _by_bytes(content, lot)
    return content


def _by_grammar(document: Any, lot: random.Random) -> Any:
    """One part of it is another one, twice there, or gone."""
    places: list[tuple[Any, tuple[Any, Any] | None]] = [(document, None)]
    for one, _ in places:
        if len(places) < 5000:
            keys = one.keys() if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
            places += [(one[key], (one, key)) for key in list(keys)]
    part, where = lot.choice(places)
    odd = deepcopy(lot.choice(ODD))  # it may be changed as a part of the document
    if where is None:
        return odd if lot.random() < 0.2 else document
    above, key = where
    match lot.randrange(6):
        case 0 | 1:
            above[key] = odd
        case 2:
            above[key] = lot.choice(places)[0] if len(json.dumps(document, default=str)) < 10**6 else odd
        case 3:
            del above[key]
        case 4 if isinstance(above, list):
            above.insert(key, part)
        case 5 if isinstance(above, dict):
            above[str(odd)[:20] if not isinstance(odd, dict | list) else "x"] = part
        case _:
            for _ in range(lot.choice((1, 5, 150))):
                above[key] = [above[key]]
    return json.loads(json.dumps(document, default=str)) if _is_tree(document) else odd


def _is_tree(document: Any) -> bool:
    """Nothing is inside of itself."""
    try:
        json.dumps(document)
    except (ValueError, RecursionError):
        return False
    return True


def _by_lines(text: str, lot: random.Random) -> str:
    """Words and lines are other ones of the same text, or odd ones."""
    pieces = _words(text)
    for _ in range(lot.choice((1, 2, 4))):
        at = lot.randrange(len(pieces))
        odd = lot.choice(ODD)
        choices = (
            lot.choice(pieces),
            odd if isinstance(odd, str) else json.dumps(odd),
            "",
            pieces[at] * 2,
            pieces[at] * 300,
        )
        pieces[at] = lot.choice(choices)
    return "".join(pieces).encode("utf-8", "replace").decode()


def _words(text: str) -> list[str]:
    words, word = [], ""
    for one in text:
        if one.isalnum() != (word[-1:].isalnum() if word else one.isalnum()):
            words.append(word)
            word = ""
        word += one
    return [*words, word]


def _by_bytes(content: bytes, lot: random.Random) -> bytes:
    start = lot.randrange(len(content) + 1)
    end = min(len(content), start + lot.choice((0, 1, 3, 20, 200)))
    match lot.randrange(6):
        case 0:
            return content[:start] + content[end:]
        case 1:
            return content[:start] + lot.choice(TOKENS) + content[end:]
        case 2:
            return content[:start] + content[start:end] * lot.choice((2, 3, 50)) + content[end:]
        case 3:
            return content[:start]
        case 4:
            other = lot.randrange(len(content) + 1)
            return content[:start] + content[other : other + end - start] + content[start:]
        case _:
            return content[:start] + bytes([lot.randrange(256)]) + content[start + 1 :]


# --- runs ---------------------------------------------------------------------------------------------


def fault(form: Format, path: Path) -> str | None:
    """What is wrong with how a file is read; None: it is read, or refused in one line."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            form.read(path)
    except (InputError, GaveUpError) as error:
        return None if str(error).strip() else "says nothing"
    except _SlowError:
        return f"takes more than {SECONDS} s"
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = (
            "" if trace is None else f" in {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        )
        return f"{type(error).__name__}{place}: {visible(str(error))[:100]}"
    return None


def faults(seed: int, count: int, only: str = "") -> Iterator[tuple[str, int, str]]:
    """The format, the number and the fault of each file that is read badly."""

    def slow(number: int, frame: FrameType | None) -> None:
        raise _SlowError

    signal.signal(signal.SIGALRM, slow)
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        known = [form for key, form in formats(Path(name)).items() if only in key]
        for number in range(count):
            form = known[number % len(known)]
            lot = random.Random(f"{seed} {number}")
            path = Path(form.name)
            path.write_bytes(changed(lot.choice(form.seeds), lot))
            signal.alarm(SECONDS)
            found = fault(form, path)
            signal.alarm(0)
            if found is not None:
                yield form.name, number, found


def main() -> int:
    parser = argparse.ArgumentParser(description="Damaged files beside the C file.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--only", default="", metavar="KIND")
    chosen = parser.parse_args()
    kinds: Counter[tuple[str, str]] = Counter()
    for name, number, found in faults(chosen.seed, chosen.count, chosen.only):
        kinds[name, found.partition(":")[0]] += 1
        if kinds[name, found.partition(":")[0]] <= 3:
            print(f"{name} {number}: {found}", flush=True)  # noqa: T201
    print(f"{chosen.count} files, {kinds.total()} with a fault, of {len(kinds)} kinds")  # noqa: T201
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
