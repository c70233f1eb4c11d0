"""What compilers and their sanitizers say about programs; many programs share one translation unit."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sley.program.properties import Property
from tests.fuzz.judge.draft import Program
from tests.fuzz.judge.programs import GNU, HEADERS

COMPILE_SECONDS = 120.0
RUN_SECONDS = 10.0
HANG_SECONDS = 1.0
"""For programs that hang by construction."""


@dataclass(frozen=True)
class Build:
    """A compiler with sanitizers, and how often to run what it makes."""

    name: str
    compiler: str
    options: tuple[str, ...]
    runs: int

    @property
    def is_available(self) -> bool:
        """Whether the compiler is there."""
        return shutil.which(self.compiler) is not None


UNDEFINED = "-fsanitize=undefined,float-cast-overflow"
ADDRESS = ("-fsanitize=address", UNDEFINED, "-fno-sanitize-recover=all", "-fno-builtin")
SEQUENTIAL_BUILDS = (
    Build("gcc", "gcc", ADDRESS, 1),
    Build("clang", "clang", ADDRESS, 1),
)
WRAPPING = Build("gcc, signed overflow wraps", "gcc", ("-fwrapv",), 1)
THREADED_BUILDS = (
    Build("gcc thread", "gcc", ("-fsanitize=thread",), 6),
    Build("gcc", "gcc", ADDRESS, 3),
)

ENVIRONMENT = {
    **os.environ,
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:symbolize=0:strict_string_checks=0:"
    "allocator_may_return_null=1:handle_abort=0",
    "LSAN_OPTIONS": "symbolize=0",
    "UBSAN_OPTIONS": "symbolize=0",
    "TSAN_OPTIONS": "detect_deadlocks=0:report_thread_leaks=0:symbolize=0:halt_on_error=0:exitcode=66:"
    "report_signal_unsafe=0:atexit_sleep_ms=0:flush_memory_ms=0",
}


@dataclass(frozen=True)
class Report:
    """What a sanitizer, or the run itself, complained about."""

    property: Property | None
    """None: something that we make no claim about."""
    text: str


HANGS = Report(Property.DEADLOCK, "the run does not end")


@dataclass
class Observed:
    """All runs of a program."""

    reports: list[Report] = field(default_factory=list)
    values: dict[int, list[int]] = field(default_factory=dict)
    """What a check was seen to be, each value once, in the order of the first build's runs."""
    differing: str = ""
    """How runs of different builds differ."""
    runs: int = 0
    compile_error: str = ""
    wrapping: "Observed | None" = None
    """The run in which signed overflow wraps around, if overflow is all that is wrong."""

    @property
    def counted(self) -> list[Report]:
        """Reports about what we make claims about."""
        return [report for report in self.reports if report.property is not None]


KINDS: tuple[tuple[str, Property | None], ...] = (
    (r"runtime error: (signed integer overflow|negation of|shift exponent|left shift)", Property.OVERFLOW),
    (r"runtime error: division of .* by -1", Property.OVERFLOW),
    (r"runtime error: .*(is outside the range of representable|outside the range of)", Property.OVERFLOW),
    (r"runtime error: division by zero", Property.DIVISION),
    (r"runtime error: index .* out of bounds", Property.DEREF),
    (r"runtime error: (load of|store to|member access within|applying).*null pointer", Property.DEREF),
    (r"runtime error: .*misaligned", None),
    (r"runtime error: .*insufficient space", Property.DEREF),
    (
        r"runtime error: (null pointer passed|pointer index expression|addition of unsigned|subtraction of)",
        None,
    ),
    (r"runtime error", None),
    (r"AddressSanitizer: attempting (double-free|free on address|to call)", Property.FREE),
    (r"AddressSanitizer: [a-z-]*(param-overlap|overlap)", Property.DEREF),
    (r"LeakSanitizer: detected memory leaks", Property.LEAK),
    (r"AddressSanitizer: [a-zA-Z-]+", Property.DEREF),
    (r"ThreadSanitizer: data race", Property.RACE),
    (r"ThreadSanitizer: heap-use-after-free", Property.DEREF),
    (r"ThreadSanitizer: (unlock|destroy|double lock|read|use of|mutex)", Property.MISUSE),
    (r"ThreadSanitizer: SEGV", Property.DEREF),
    (r"Assertion `.*' failed", Property.REACH),
    (r"corrupted|double free|free\(\): invalid|munmap_chunk", Property.FREE),
)
"""The words of reports, most special first."""


def reports_in(errors: str, code: int) -> list[Report]:
    """The reports in what a run wrote."""
    found: list[Report] = []
    for line in errors.splitlines():
        if line.startswith("SUMMARY"):
            continue
        for words, prop in KINDS:
            if re.search(words, line):
                found.append(Report(prop, re.sub(r"0x[0-9a-f]+|==\d+==|pid=\d+", "…", line).strip()[:140]))
                break
    if not found and code < 0 and -code not in (6, 9):
        found.append(Report(Property.DEREF, f"signal {-code}"))
    return found


HARNESS = """#include <unistd.h>
#include <sched.h>
#include <time.h>
#define CHECK(k, e) fprintf(stderr, "@%d %lld\\n", k, (long long)(e))
#define PAUSE() pause_()
static void pause_(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned chance = (unsigned)(now.tv_nsec / 7) % 8;
    if (chance < 3) usleep(chance * 40);
    else if (chance < 6) sched_yield();
}
static pthread_mutex_t atomic_ = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&atomic_); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&atomic_); }
static void forget_(void)
{
    volatile char stack[20000];
    for (unsigned i = 0; i < sizeof stack; i++) stack[i] = 0;
}
"""


def translation_unit(programs: Sequence[Program]) -> str:
    """One C file for many programs; its argument says which to run."""
    parts = [GNU, *(f"#include <{header}>" for header in HEADERS), HARNESS]
    for number, program in enumerate(programs):
        parts += [f"#define {name} {name}_{number}" for name in program.names]
        parts += [f'#line 1 "seed_{program.seed}.c"', program.text]
        parts += [f"#undef {name}" for name in program.names]
    parts.append(
        "int main(int argc, char **argv)\n{\n    int result = 0;\n    switch (argc > 1 ? atoi(argv[1]) : 0) {"
    )
    parts += [f"    case {number}: result = main_{number}(); break;" for number in range(len(programs))]
    parts.append("    }\n    forget_();\n    return result;\n}\n")
    return "\n".join(parts)


def observe(programs: Sequence[Program], folder: Path) -> list[Observed]:
    """Compile and run programs; all of them have threads, or none has."""
    observed = [Observed() for _ in programs]
    if not programs:
        return observed
    builds = THREADED_BUILDS if programs[0].is_threaded else SEQUENTIAL_BUILDS
    for build in builds:
        if not build.is_available:
            continue
        errors = compiled(programs, build, folder)
        if errors and len(programs) > 1:
            return [observe([program], folder)[0] for program in programs]
        if errors:
            observed[0].compile_error = errors
            return observed
        for number, seen in enumerate(observed):
            if not (programs[number].disbelieved and build.name == THREADED_BUILDS[0].name):
                run_often(seen, build, folder, number, patience(programs[number]))
    if not programs[0].is_threaded:
        observe_wrapping(programs, observed, folder)
    return observed


def observe_wrapping(programs: Sequence[Program], observed: Sequence[Observed], folder: Path) -> None:
    """Run the programs that overflow with numbers that wrap around, which is what ``reach`` alone assumes."""
    chosen = [number for number, seen in enumerate(observed) if only_overflows(seen)]
    if not chosen or compiled([programs[number] for number in chosen], WRAPPING, folder):
        return
    for position, number in enumerate(chosen):
        seen = Observed()
        run_often(seen, WRAPPING, folder, position, RUN_SECONDS)
        if not seen.reports:
            observed[number].wrapping = seen


def only_overflows(seen: Observed) -> bool:
    """Whether the only thing wrong is a result that does not fit, which gcc can make wrap around."""
    words = ("signed integer overflow", "negation of", "left shift of")
    return bool(seen.reports) and all(any(word in report.text for word in words) for report in seen.reports)


def patience(program: Program) -> float:
    """How long to wait for the end of a run."""
    hangs = program.fault is not None and Property.DEADLOCK in program.fault.properties
    return HANG_SECONDS if hangs else RUN_SECONDS


def compiled(programs: Sequence[Program], build: Build, folder: Path) -> str:
    """Make the binary; the compiler's errors."""
    source = folder / "batch.c"
    source.write_text(translation_unit(programs))
    command = [build.compiler, "-std=gnu11", "-O0", "-w", "-pthread", *build.options]
    command += ["-o", str(folder / "batch"), str(source), "-lm"]
    run = subprocess.run(command, timeout=COMPILE_SECONDS, capture_output=True, text=True, check=False)
    return run.stderr if run.returncode else ""


def run_often(seen: Observed, build: Build, folder: Path, number: int, seconds: float) -> None:
    """Run a program as often as the build wants, until it hangs."""
    for _ in range(0 if HANGS in seen.reports else build.runs):
        seen.runs += 1
        try:
            run = subprocess.run(
                [str(folder / "batch"), str(number)],
                timeout=seconds,
                capture_output=True,
                env=ENVIRONMENT,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            seen.reports.append(HANGS)
            return
        errors = run.stderr.decode(errors="replace")
        for report in reports_in(errors, run.returncode):
            if report not in seen.reports:
                seen.reports.append(report)
        collect(seen, errors)


def collect(seen: Observed, errors: str) -> None:
    """Note the values of the checks of a run."""
    values: dict[int, list[int]] = {}
    for key, value in re.findall(r"^@(\d+) (-?\d+)$", errors, re.MULTILINE):
        row = values.setdefault(int(key), [])
        if int(value) not in row:
            row.append(int(value))
    for check, row in values.items():
        known = seen.values.setdefault(check, row)
        if known != row and not seen.reports:
            seen.differing = seen.differing or f"check {check}: {known} or {row}"
