"""The file of likely invariants: written, edited, read again."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.engines.bmc.likely.file import read_likely, write_likely
from sley.engines.bmc.likely.invariants import INITIAL, LikelyInvariants
from sley.engines.bmc.likely.mining import mine
from sley.program.program import Program
from tests.unit.engines.test_bmc import program_with, threads

TEXT = """\
int x, cells[3];
struct pair { int one, other; } pair;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
""" + threads(
    "\npthread_mutex_lock(&m);\nint a = x;\nx = a + 1;\n"
    "cells[a & 1] = pair.other;\npthread_mutex_unlock(&m);",
    "\npthread_mutex_lock(&m);\nx = 5;\npair.other = cells[1];\npthread_mutex_unlock(&m);",
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return program_with(tmp_path, TEXT)


@pytest.fixture
def likely(program: Program) -> LikelyInvariants:
    return mine(program)


def entry(text: str, statement: str) -> str:
    """The entry of the read in a statement."""
    return next(part for part in text.split("\n\n") if f'text: "{statement}"\n    v' in part)


def test_what_is_written_can_be_read(program: Program, likely: LikelyInvariants) -> None:
    text = write_likely(program, likely)
    assert read_likely(text, "inv.yml", program) == likely
    assert likely.count > 5


def test_entries_are_readable(program: Program, likely: LikelyInvariants) -> None:
    text = write_likely(program, likely)
    shown = entry(text, "int a = x")
    assert 'variable: "x"' in shown
    assert "origin: remote" in shown
    assert "      - initial\n" in shown
    assert 'text: "x = 5", location: ' in shown
    assert 'variable: "pair.other"' in entry(text, "cells[a & 1] = pair.other")
    assert 'variable: "cells[1]"' in entry(text, "pair.other = cells[1]")
    assert 'variable: "m"' in entry(text, "pthread_mutex_lock(&m)")
    assert "in 50 random runs" in text
    assert "\nruns: 50\n" in text


def test_nothing_to_say(program: Program) -> None:
    nothing = LikelyInvariants({}, 3)
    assert read_likely(write_likely(program, nothing), "inv.yml", program) == nothing


def test_lines_and_entries_can_be_deleted(program: Program, likely: LikelyInvariants) -> None:
    text = write_likely(program, likely)
    shown = entry(text, "int a = x")
    (location,) = (int(line.split(":")[1]) for line in shown.splitlines() if line.startswith("    location"))
    assert location not in read_likely(text.replace(shown, ""), "inv.yml", program).reads
    edited = read_likely(text.replace(shown, shown.replace("    origin: remote\n", "")), "inv.yml", program)
    assert edited.reads[location].origin is None
    assert edited.reads[location].writes == likely.reads[location].writes
    kept = [line for line in shown.splitlines() if "from" not in line and not line.startswith("      ")]
    edited = read_likely(text.replace(shown, "\n".join(kept)), "inv.yml", program)
    assert edited.reads[location].writes is None
    edited = read_likely(text.replace(shown, shown.replace("      - initial\n", "")), "inv.yml", program)
    writes = likely.reads[location].writes
    assert writes is not None
    assert edited.reads[location].writes == writes - {INITIAL}


def test_folders_do_not_count(program: Program, likely: LikelyInvariants, tmp_path: Path) -> None:
    text = write_likely(program, likely)
    assert read_likely(text.replace(f"{tmp_path}/", "elsewhere/"), "inv.yml", program) == likely


def test_a_file_of_another_program_is_refused(
    program: Program, likely: LikelyInvariants, tmp_path: Path
) -> None:
    text = write_likely(program, likely)
    other = program_with(tmp_path, "\n" + TEXT)
    with pytest.raises(
        InputError, match=r"^inv.yml:1:1: the file belongs to another program: location \d+"
    ) as e:
        read_likely(text, "inv.yml", other)
    assert "\n" not in str(e.value)
    with pytest.raises(InputError, match="another program: location 99999 is no read at"):
        read_likely(text.replace("    location: ", "    location: 99999 #"), "inv.yml", program)
    store = next(line for line in text.splitlines() if 'text: "x = 5"' in line).split("location: ")[1][:-1]
    with pytest.raises(InputError, match=f"another program: location {store} is no read"):
        read_likely(f"reads: [{{location: {store}}}]", "inv.yml", program)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("reads: [", r"^inv.yml:1:9: not a YAML file: "),
        ("\x00", "not a YAML file"),
        ("", "no list `reads`"),
        ("[]", "no list `reads`"),
        ("reads: 3", "no list `reads`"),
        ("reads: [3]", "`3` is not an entry of a read"),
        ("reads: [{at: 'a:1:1'}]", "an entry without `location`"),
        ("reads: []\nruns: many", "`runs: many` is not a number of times"),
        ("reads: [{LOCK, origin: none}]", "`origin: none` is neither local nor remote"),
        ("reads: [{LOCK, origin: [local]}]", "is neither local nor remote"),
        ("reads: [{LOCK, follows: 1}]", "`follows: 1` is neither true nor false"),
        ("reads: [{LOCK, from: initial}]", "`from` is not a list of writes"),
        ("reads: [{LOCK, from: [first]}]", "`first` in `from` is no write"),
        ("reads: [{LOCK, from: [{at: 'a:1:1'}]}]", "an entry without `location`"),
    ],
)
def test_errors_are_one_line(text: str, message: str, program: Program, likely: LikelyInvariants) -> None:
    head = entry(write_likely(program, likely), "pthread_mutex_lock(&m)").splitlines()
    at, location = (next(line for line in head if key in line).lstrip(" -") for key in ("at: ", "location: "))
    with pytest.raises(InputError, match=message) as error:
        read_likely(text.replace("LOCK", f"{at}, {location}"), "inv.yml", program)
    assert "\n" not in str(error.value)
