"""``getopt`` and ``getopt_long`` find in known arguments what the C library of this machine finds."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify

PROGRAM = """\
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>
static struct option names[] = {
    {"alpha", no_argument, 0, 'A'}, {"alto", required_argument, 0, 'B'},
    {"beta", optional_argument, 0, 'C'}, {"num", required_argument, 0, 'n'}, {0, 0, 0, 0}};
static unsigned sum = 7;
static void add(int value) { sum = sum * 31 + (unsigned)value; }
int main(int argc, char **argv)
{
    int option, at = -1;
    opterr = 0;
    while ((option = LONG ? getopt_long(argc, argv, OPTIONS, names, &at)
                          : getopt(argc, argv, OPTIONS)) != -1) {
        add(option);
        add(optind);
        add(option == '?' || option == ':' ? optopt : 0);
        add(at);
        add(optarg == 0);
        for (char *p = optarg; p && *p; p++)
            add(*p);
    }
    add(optind);
    for (int i = 1; i < argc; i++)
        add(argv[i][0] ? argv[i][1] : -1);
#ifdef EXPECTED
    assert(sum == EXPECTED);
#else
    printf("%u", sum);
#endif
    return 0;
}
"""
LISTS = ("n:ao::b", ":n:ao::b", "+n:ao::b", "-n:ao::b", "", ":")
WORDS = (
    *("-a", "-n", "-n5", "-an", "-ab", "-o", "-ofoo", "-z", "-aan7", "--", "-", "x", "y", ""),
    *("--alpha", "--al", "--alt=3", "--alto", "--beta", "--beta=q", "--nu", "--zeta", "--alpha=1", "--=x"),
)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("seed", range(12))
def test_known_arguments(seed: int, tmp_path: Path) -> None:
    chosen = random.Random(seed)
    given = tuple(chosen.choice(WORDS) for _ in range(chosen.randrange(2, 6)))
    macros = (f'OPTIONS="{chosen.choice(LISTS)}"', f"LONG={seed % 2}")
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(PROGRAM)
    flags = [f"-D{macro}" for macro in macros]
    subprocess.run(["gcc", "-w", *flags, str(source), "-o", str(program)], check=True)
    found = subprocess.run([str(program), *given], check=True, capture_output=True, text=True).stdout
    task = Task(
        paths=(source,),
        selection=Selection(frozenset({Property.REACH, Property.DEREF})),
        defines=(*macros, f"EXPECTED={found}u"),
        arguments=given,
        engines=("explore",),
        jobs=0,
        limits=Limits(seconds=60),
    )
    assert verify(task).answer is Answer.SAFE, (macros, given)
