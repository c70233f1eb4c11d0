"""Groups 2, 4, 5, 7, 8 and 9: what stands in files, and in the names of files."""

import gzip
import json
import random
from collections.abc import Callable, Iterator, Mapping

from bench.attacks import forging
from bench.attacks.attack import (
    ANSWERS,
    BUGGY,
    LOOP,
    REFUSED,
    SAFE,
    WRONG,
    Asset,
    Attack,
    Content,
    Fifo,
    Folder,
    Link,
    Sparse,
)
from bench.attacks.code import PROPERTY, TASK
from bench.attacks.forged_witnesses import entry, hidden, in_programs, witness

LIMITS = ("--time-limit", "4s", "--memory-limit", "400MB")
LITMUS = "C t\n{}\nP0(atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\nexists (x=1)\n"
BASELINE = json.dumps(
    {"format": "sley-baseline", "format_version": "1.0", "open": [], "undecided": [], "passed_over": []}
)
DATABASE = json.dumps([{"directory": ".", "file": "safe.c", "command": "cc -c safe.c"}])

KINDS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "task": ("t.yml", ("check", "t.yml"), TASK),
    "property": ("p.prp", ("check", "safe.c", "-p", "p.prp"), PROPERTY),
    "database": ("compile_commands.json", ("check", "compile_commands.json"), DATABASE),
    "configuration": ("sley.toml", ("check", "safe.c"), 'properties = ["reach"]\ndefine = ["A=1"]\n'),
    "baseline": ("b.json", ("check", "safe.c", "--baseline", "b.json"), BASELINE),
    "witness": ("w.yml", ("validate-witness", "loop.c", "w.yml"), witness(LOOP, [entry("i <= 3")])),
    "proof": ("p.json", ("prove-check", "safe.c", "p.json"), ""),
    "packed proof": ("p.json.gz", ("prove-check", "safe.c", "p.json.gz"), ""),
    "litmus": ("t.litmus", ("litmus", "t.litmus"), LITMUS),
    "checked litmus": ("t.litmus", ("check", "t.litmus"), LITMUS),
    "expected": ("e.csv", ("litmus", "t.litmus", "--expected", "e.csv"), "test,c11\nt,allowed\n"),
    "schedule": ("s.txt", ("run", "safe.c", "--schedule", "s.txt"), "0\n0\n1\n"),
    "report": ("r.json", ("show", "trace", "r.json"), "{}"),
    "source": ("x.c", ("check", "x.c"), SAFE),
    "header": ("x.h", ("check", "y.c"), "int here;\n"),
    "models": ("m.c", ("check", "safe.c", "--models", "m.c"), "int unknown(void) { return 1; }\n"),
    "predicates": (
        "q.txt",
        ("check", "safe.c", "--engine", "symmetry", "--predicates", "q.txt"),
        "counter == 0\n",
    ),
    "likely": (
        "l.yml",
        ("check", "safe.c", "--engine", "bmc", "--invariants", "l.yml"),
        "reads: []\nruns: 1\n",
    ),
}
BESIDE: dict[str, Content] = {
    "p.prp": PROPERTY,
    "t.yml": TASK,
    "t.litmus": LITMUS,
    "y.c": f'#include "x.h"\n{BUGGY}',
}


def _words(kind: str) -> tuple[str, ...]:
    return (*KINDS[kind][1], *LIMITS)


def _with(kind: str, content: Content) -> dict[str, Content]:
    return {**BESIDE, KINDS[kind][0]: content}


def limits() -> Iterator[Attack]:
    """Group 4."""
    group = "4 limits"
    odd: dict[str, Content] = {
        "a pipe": Fifo(), "zeros without end": Link("/dev/zero"), "a folder": Folder(), "2 GB of zeros": Sparse(2048),
        "numbers by lot": Link("/dev/urandom"), "a terminal": Link("/dev/tty"),
    }  # fmt: skip
    for kind in KINDS:
        for name, content in odd.items():
            codes = ANSWERS if kind in ("configuration", "likely") else REFUSED
            yield Attack(
                group, f"{kind}: {name}", _words(kind), _with(kind, content), codes, seconds=6, results=(0, 1)
            )
    for kind, text in _bombs():
        yield Attack(
            group, f"{kind}: {len(text)} bytes, {text[:12]!r}", _words(kind), _with(kind, text), seconds=6
        )

    yield from _inclusions(group)


READERS: Mapping[str, tuple[str, ...]] = {
    "check": ("check", "x.c"),
    "cfg": ("show", "cfg", "x.c"),
    "prepared": ("show", "cfg", "--prepared", "x.c"),
    "harness": ("show", "harness", "x.c", "--entry", "worker"),
    "skeleton": ("show", "skeleton", "x.c"),
    "run": ("run", "x.c", "--seed", "1"),
    "mine": ("mine", "x.c"),
    "witness": ("validate-witness", "x.c", "w.yml"),
    "models": ("check", "safe.c", "--models", "x.c"),
}
"""Commands that read a program."""
NAMING = {
    "include": '#include "{file}"',
    "include, next": '#include_next "{file}"',
    "include, broken": '#inc\\\nlude /**/ "{file}"',
    "import": "#import <{file}>",
    "embed": 'int q[] = {{\n#embed "{file}" limit(1)\n}};',
    "has": '#if __has_include("{file}")\n#endif',
    "dependency": '#pragma GCC dependency "{file}"',
    "macro": '#define FILE "{file}"\n#include FILE',
    "composed": "#define TEXT(x) #x\n#define MORE(x) TEXT(x)\n#include MORE({file})",
}
"""How a program names a file."""
PRAGMAS = (
    *(
        f"#pragma clang __debug {word}"
        for word in ("crash", "overflow_stack", "parser_crash", "llvm_fatal_error")
    ),
    "%:/**/pragma clang /**/ __debug crash",
    '_Pragma("clang __debug overflow_stack")',
    "#define P(x) _Pragma(#x)\nP(clang __debug overflow_stack)",
    "#define P(x) _Pragma(#x)\n#define Q(x) P(x)\nQ(clang __de##bug overflow_stack)",
    "#pragma clang module build foo\nmodule foo {}\n#pragma clang module endbuild",
    "#define P(x) _Pragma(#x)\nP(clang module build foo)\nmodule foo {}\nP(clang module endbuild)",
    "#pragma cl\\\nang module import foo",
    "#pragma clang module load foo",
)
ENDLESS: Mapping[str, Content] = {"pipe": Fifo(), "zeros": Link("/dev/zero"), "x.h": '#include "pipe"\n'}


GREEDY = 1200
"""Megabytes: a device is read by gigabytes a second, and memory is looked at every 50 ms."""


def _inclusions(group: str) -> Iterator[Attack]:
    """What a program includes, for every command that reads one."""
    beside: dict[str, Content] = {**ENDLESS, "w.yml": witness(LOOP, [entry("i <= 3")])}
    programs = {
        f"{how} {file}": f"{text.format(file=file)}\n{SAFE}"
        for how, text in NAMING.items()
        for file in ("pipe", "zeros", "/dev/zero", "x.h", "no/../pipe")
    }
    programs |= {f"pragma {pragma!r}": f"{pragma}\n{SAFE}" for pragma in PRAGMAS}
    programs["itself"] = f'#include "x.c"\n{SAFE}'
    programs["deep"] = f"int q = {'(' * 30_000}1{')' * 30_000};\n{SAFE}"
    for reader, words in READERS.items():
        for name, text in programs.items():
            yield Attack(
                group,
                f"{reader}: {name}",
                (*words, *LIMITS),
                {**beside, "x.c": text},
                seconds=6,
                megabytes=GREEDY,
            )
    for name, text in programs.items():
        files = {**beside, "x.c": '#include "y.h"\n', "y.h": text}
        yield Attack(
            group,
            f"check: {name}, in a header",
            ("check", "x.c", *LIMITS),
            files,
            seconds=6,
            megabytes=GREEDY,
        )
        again = f"$SLEY check racy.c -p race --json r.json >/dev/null; cp x.c racy.c; exec $SLEY replay r.json {' '.join(LIMITS)}"
        yield Attack(
            group,
            f"replay: {name}",
            files={**beside, "x.c": text},
            codes=(2, 3, 4),
            shell=again,
            seconds=12,
            megabytes=GREEDY,
        )


def _bombs() -> Iterator[tuple[str, bytes]]:
    aliases = "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
    )
    yaml = f"a: &a [1,1,1,1,1,1,1,1,1]\n{aliases}input_files: *j\nentry_type: *j\nreads: *j\n"
    for kind in ("task", "likely"):
        yield kind, yaml.encode()
    yield "witness", f"- {yaml}".replace("\n", "\n  ").encode()
    for depth in (3_000, 200_000):
        for kind in ("task", "witness", "likely"):
            yield kind, b"[" * depth
            yield kind, b"- " * depth + b"x"
        for kind in ("database", "baseline", "proof", "report"):
            yield kind, b"[" * depth + b"]" * depth
            yield kind, b'{"a":' * depth + b"1" + b"}" * depth
        yield "configuration", b"properties = " + b"[" * depth + b"]" * depth
        yield "source", b"int x = " + b"(" * depth + b"1" + b")" * depth + b";int main(void){return x;}"
        yield "property", b"CHECK( init(main()), LTL(" + b"(" * depth + b") )"
        yield "witness", witness(LOOP, [entry("(" * depth + "1" + ")" * depth)]).encode()
        yield "witness", witness(LOOP, [entry("-" * depth + "1")]).encode()
        yield "predicates", b"(" * depth + b"counter == 0" + b")" * depth
        yield "litmus", LITMUS.replace("x=1", "(" * depth + "x=1" + ")" * depth).encode()
    yield "packed proof", _gzip_bomb()
    segment = "- entry_type: violation_sequence\n"
    yield "witness", witness(LOOP, [entry("i <= 3")] * 20_000).encode()
    yield (
        "witness",
        (
            segment
            + "  content:\n"
            + "  - segment:\n    - waypoint: {action: follow, type: target}\n" * 50_000
        ).encode(),
    )
    yield "schedule", b"0\n" * 3_000_000
    yield "schedule", b"9" * 5_000_000
    yield (
        "baseline",
        json.dumps(
            {
                "format": "sley-baseline",
                "format_version": "1.0",
                "open": [{"fingerprint": str(n), "count": n} for n in range(400_000)],
                "undecided": [],
                "passed_over": [],
            }
        ).encode(),
    )
    yield (
        "database",
        json.dumps(
            [{"directory": ".", "file": f"a{n}.c", "command": "cc " + "-DA=1 " * 50} for n in range(60_000)]
        ).encode(),
    )
    yield "property", (PROPERTY * 200_000).encode()
    yield "expected", b"test,c11\n" + b"x,allowed\n" * 2_000_000
    yield "litmus", LITMUS.replace("{}", "{" + "".join(f"x{n}=0; " for n in range(100_000)) + "}").encode()
    yield "configuration", b"".join(b"a%d = 1\n" % n for n in range(300_000))
    yield "task", b"input_files:\n" + b"- safe.c\n" * 300_000
    yield "source", b"int a;" * 500_000 + SAFE.encode()


def _gzip_bomb() -> bytes:
    """Three gigabytes in three megabytes."""
    part = gzip.compress(b" " * (100 << 20), 9)
    return part * 30


def invariants() -> Iterator[Attack]:
    """Group 2."""
    group = "2 witnesses"
    for name, files, source in [*hidden(), *in_programs()]:
        words = ("validate-witness", source, "w.yml", *LIMITS[:2])
        yield Attack(group, name, words, files, (1, 2, 3, 4), never="CONFIRMED")
    for flags in (
        *(
            "-DA=1",
            "-p reach",
            "-p memory",
            "--malloc-may-fail",
            "--create-may-fail",
            "--data-model ILP32",
            "-p race",
            "",
        ),
        *("--allow-inner-overrun", "-p reach -p race", "--argc-may-be-zero", "-p overflow"),
    ):
        wanted = Asset(tuple(flags.split()), ".yml")
        command = ("validate-witness", *flags.split(), "safe.c", "w.yml")
        yield Attack(group, f"with options: {flags}", command, {"w.yml": wanted}, (0,), says="CONFIRMED")
    files = {"w.yml": Asset((), ".yml", "racy")}
    command = ("validate-witness", "racy.c", "w.yml")
    yield Attack(group, "of another program", command, files, (1, 2, 3), never="CONFIRMED")


ENGINES = {
    "explore": ("safe.c",),
    "impact": ("safe.c",),
    "bmc": ("safe.c",),
    "modular": ("counting.c", "-p", "reach"),
    "symmetry": ("safe.c", "-p", "reach"),
    "abstract": ("safe.c", "-p", "race"),
}
"""Programs that they prove, and what."""


def questions() -> Iterator[Attack]:
    """Group 5."""
    group = "5 proofs"
    narrow = ("reach", "memory", "overflow", "division", "deadlock", "misuse")
    for prop in narrow:
        proof: dict[str, Content] = {"p.json": Asset(("-p", prop), ".json", source="quiet.c")}
        yield Attack(
            group,
            f"{prop} for all",
            ("prove-check", "quiet.c", "p.json"),
            proof,
            REFUSED,
            never="SAFE  |RESULT: true",
        )
        yield Attack(
            group, f"{prop} for {prop}", ("prove-check", "quiet.c", "p.json", "-p", prop), proof, (0,)
        )
        yield Attack(
            group,
            f"{prop} for race",
            ("prove-check", "quiet.c", "p.json", "-p", "race"),
            proof,
            REFUSED,
            never="RESULT: true",
        )
    for flags in ("--memory-model sc", "--data-model ILP32", "--granularity statement -p reach"):
        proof = {"p.json": Asset(tuple(flags.split()), ".json")}
        yield Attack(
            group,
            f"{flags} without it",
            ("prove-check", "safe.c", "p.json"),
            proof,
            REFUSED,
            never="RESULT: true",
        )
        yield Attack(group, flags, ("prove-check", "safe.c", "p.json", *flags.split()), proof, (0,))
    for engine, (source, *asked) in ENGINES.items():
        genuine = {"p.json": Asset(("--engine", engine, *asked), ".json", source=source)}
        yield Attack(group, f"{engine}, genuine", ("prove-check", source, "p.json", *asked), genuine, (0,))
        for way in range(forging.WAYS):
            proof = {"p.json": Asset(("--engine", engine, *asked), ".json", "proof", way, source)}
            words = ("prove-check", WRONG[source], "p.json", *asked, "--time-limit", "20s")
            name = f"{engine}, forged in way {way}"
            yield Attack(group, name, words, proof, REFUSED, never="RESULT: true|JSON file")


CHARACTERS = {
    "ESC": "\x1b[2J\x1b]0;owned\x07", "BEL": "\x07", "C1": "\x9b31m", "override": "\u202e", "isolate": "\u2066",
    "return": "\rRESULT: true", "backspace": "\x08" * 40, "separator": "\u2028", "DEL": "\x7f", "NUL-like": "\x01",
}  # fmt: skip


def terminal() -> Iterator[Attack]:
    """Group 7."""
    group = "7 terminal"
    for name, odd in CHARACTERS.items():
        in_string = BUGGY.replace("x == 2", f'x == 2 && "{odd}"').replace("\r", "\\r")
        places: list[tuple[str, tuple[str, ...], dict[str, Content]]] = [
            ("comment", ("check", "x.c"), {"x.c": BUGGY.replace("x == 2", f"x == 2 /*{odd}*/")}),
            ("string", ("check", "x.c"), {"x.c": in_string}),
            ("error", ("check", "x.c"), {"x.c": f"#error {odd}\n{BUGGY}"}),
            ("header", ("check", "x.c"), {"x.c": f'#include "{odd}.h"\n{BUGGY}'}),
            ("file", ("check", f"x{odd}.c"), {f"x{odd}.c": BUGGY}),
            ("missing file", ("check", f"y{odd}.c"), {}),
            ("line directive", ("check", "x.i"), {"x.i": f'# 1 "{odd}.c"\n{BUGGY}'.replace("#include <assert.h>", "extern void abort(void); void __assert_fail(void);")}),
            ("property", ("check", "safe.c", "-p", f"x{odd}"), {}),
            ("property file", ("check", "safe.c", "-p", "p.prp"), {"p.prp": f"CHECK( init(main()), LTL(G {odd}) )\n"}),
            ("configuration", ("check", "safe.c"), {"sley.toml": f'"x{odd.encode("unicode_escape").decode().replace(chr(92) + "x", chr(92) + "u00")}" = 1\n'}),
            ("task", ("check", "t.yml"), {"t.yml": TASK.replace("safe.c", json.dumps(f"x{odd}.c"))}),
            ("witness", ("validate-witness", "loop.c", "w.yml"), {"w.yml": witness(LOOP, [entry(f"i <= 3 {odd}")])}),
            ("database", ("check", "db.json"), {"db.json": json.dumps([{"directory": ".", "file": f"x{odd}.c", "command": "cc"}]), f"x{odd}.c": BUGGY}),
            ("show", ("show", "cfg", "x.c"), {"x.c": in_string}),
            ("run", ("run", "x.c"), {"x.c": in_string}),
        ]  # fmt: skip
        for place, words, files in places:
            yield Attack(group, f"{name} in a {place}", words, files)
    for odd in ("\nRESULT: true\n", "\nRESULT: true", "\r\nRESULT: true\r\n"):
        file = f"x{odd}.c"
        for words in (
            ("check", file),
            ("run", file),
            ("show", "cfg", file),
            ("check", f"y{odd}.c"),
            ("explain", odd),
            ("check", "safe.c", "-p", odd),
        ):
            yield Attack(group, f"a line in {words[0]} {words[-1]!r}", words, {file: BUGGY}, (0, 1, 2, 3, 4))
    for columns in (40, 50, 60, 80):
        for program in ("safe.c", "buggy.c", "racy.c"):
            shell = f"COLUMNS={columns} $SLEY check {program} | grep -v RESULT | $PYTHON -c 'import sys; sys.exit(any(len(l) > {columns + 1} for l in sys.stdin))'"
            yield Attack(group, f"{program} in {columns} columns", shell=shell, codes=(0,))


Damage = Callable[[str, random.Random], bytes]


def _damages() -> Mapping[str, Damage]:
    def at(text: str, lot: random.Random, piece: bytes) -> bytes:
        place = lot.randrange(len(text.encode()) + 1)
        return text.encode()[:place] + piece + text.encode()[place:]

    return {
        "empty": lambda _, __: b"",
        "NUL": lambda text, lot: at(text, lot, b"\0"),
        "not UTF-8": lambda text, lot: at(text, lot, b"\xff\xfe"),
        "a surrogate": lambda text, lot: at(text, lot, b"\\ud800"),
        "half": lambda text, lot: text.encode()[: lot.randrange(len(text) + 1)],
        "huge number": lambda text, _: text.replace("1", "9" * 5000).encode(),
        "negative": lambda text, _: text.replace("1", "-1").encode(),
        "infinity": lambda text, _: text.replace("1", "1e999").replace("[]", "[Infinity]").encode(),
        "null": lambda text, _: text.replace('"', "").replace("safe.c", "null").encode(),
        "list": lambda text, _: (
            text.replace("safe.c", "[safe.c]").replace('"open": []', '"open": {}').encode()
        ),
        "mapping": lambda text, _: text.replace("safe.c", "{a: b}").replace("[]", "{}").encode(),
        "number for text": lambda text, _: (
            text.replace("safe.c", "1").replace('"cc -c 1"', "1").replace('"1"', "1").encode()
        ),
        "date": lambda text, _: text.replace("safe.c", "2001-01-01").encode(),
        "NUL in a text": lambda text, _: text.replace("safe.c", "safe\\u0000.c").encode(),
        "glob": lambda text, _: text.replace("safe.c", "*.c").encode(),
        "folder": lambda text, _: text.replace("safe.c", ".").encode(),
        "other": lambda _, __: b"<a/>{]'\"\\",
        "only brackets": lambda _, __: b"[{[{",
        "a list": lambda _, __: b"[1, null, [], {}]",
        "a text": lambda _, __: b'"hello"',
        "a byte order": lambda text, _: b"\xff\xfe" + text.encode("utf-16-le"),
    }


def damaged() -> Iterator[Attack]:
    """Group 8."""
    group = "8 damaged"
    plain = [kind for kind in KINDS if KINDS[kind][2] and kind not in ("header", "models", "source")]
    for kind in plain:
        for name, damage in _damages().items():
            content = damage(KINDS[kind][2], random.Random(f"{kind} {name}"))
            yield Attack(group, f"{kind}: {name}", _words(kind), _with(kind, content))
    for kind, suffix in (
        ("proof", ".json"),
        ("packed proof", ".gz"),
        ("witness", ".yml"),
    ):
        flags = ("-p", "reach") if suffix == ".yml" else ()
        for forged, seed in (
            ("half", 0),
            *(("zeros", seed) for seed in (0, 10, 100)),
            ("packed twice", 0),
        ):
            asset = Asset(flags, suffix, forged, seed)
            words = tuple("safe.c" if word == "loop.c" else word for word in _words(kind))
            yield Attack(
                group, f"{kind}: {forged} {seed}", words, _with(kind, asset), never="CONFIRMED|RESULT: true"
            )
    for encoding in ("ascii", "latin-1", "cp1252", "utf-8:strict"):
        for name in ("größe.c", "\udcff.c", "日本.c"):
            words = ("check", name)
            environment = {"PYTHONIOENCODING": encoding}
            yield Attack(
                group,
                f"{name!a} in {encoding}",
                words,
                {name: BUGGY},
                (1,),
                environment=environment,
                is_process=True,
            )


LEAK = """
import resource, sley, pathlib, os
good, bad = "safe.c", "bad.c"
def size():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20
def call(name):
    try:
        sley.check(name, jobs=0, time_limit=20)
    except Exception as error:
        assert "bad.c" in str(error) or "x" in str(error), error
for round in range(60):
    call(NAME)
before = size()
for round in range(60):
    call(NAME)
grown = size() - before
print(f"{grown:.1f} MB")
raise SystemExit(grown > 20)
"""


def leaks() -> Iterator[Attack]:
    """Group 9."""
    group = "9 leaks"
    programs: dict[str, Content] = {
        "good": SAFE,
        "a C error": SAFE + "int x = ;\n",
        "many C errors": SAFE + "int x = ;\n" * 100,
        "a missing header": '#include "nothing.h"\n' + SAFE,
        "a system header": "#include <netdb.h>\n#include <spawn.h>\n" + SAFE + "int x = ;\n",
        "no main": "int f(void) { return 1; }\n",
        "not supported": SAFE.replace("int main", 'int g(void) { __asm__("nop"); return 1; } int main'),
        "empty": "",
        "a bug": BUGGY,
        "bytes": b"\xff\xfe\x00",
    }
    for name, text in programs.items():
        script = LEAK.replace("NAME", '"x.c"')
        yield Attack(group, name, files={"x.c": text}, script=script, codes=(0,), seconds=90)
