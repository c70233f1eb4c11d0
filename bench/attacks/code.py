"""Groups 1, 3, 6 and 10: code that is not ours, codes that lie, caches of others, what is executed."""

import json
from collections.abc import Iterator

from bench.attacks.attack import ANSWERS, BUGGY, SAFE, Asset, Attack, Content, Fifo, Folder

PLANTED = (
    *("sley", "json", "yaml", "pickle", "subprocess", "z3", "bitwuzla", "rich", "tomllib", "gzip", "csv"),
    *("hashlib", "tempfile", "dataclasses", "sitecustomize", "ray", "pysat", "clang", "ctypes"),
)
TASK = "format_version: '2.0'\ninput_files: safe.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n"
PROPERTY = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
EXECUTED = "open('canary', 'w').close()\n"
IN_A_THREAD = """
import os, threading
import sley
def work():
    print(sley.check("safe.c", time_limit=20).answer)
def main():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
main()
"""
DASHES = (
    *(
        "-fplugin=evil.so.c",
        "-include.c",
        "-o.c",
        "-E.c",
        "-Xclang.c",
        "--version.c",
        "-x.c",
        "-DX=1.c",
        "-.c",
    ),
    *("@arguments.c", "-help.c", "-I.c", "--json.c", "-ivfsoverlay.c"),
)
BUILDS = (
    *("-fplugin=./evil.so", "-Xclang -load -Xclang ./evil.so", "-wrapper ./evil.sh", "-B. -no-integrated-as"),
    *(
        "@evil.rsp",
        "-specs=evil.specs",
        "-include /dev/zero",
        "-include pipe",
        "-imacros pipe",
        "-I/dev/zero",
    ),
    *(
        "-D'X=$(touch canary)'",
        "`touch canary`",
        "; touch canary",
        "&& touch canary",
        "| ./evil.sh",
        "-x cuda",
    ),
    *(
        "-frewrite-map-file=pipe",
        "-fmodule-map-file=pipe",
        "-ivfsoverlay pipe",
        "-fprofile-use=pipe",
        "-M -MF canary",
    ),
    *("-o canary", "-save-temps", "--serialize-diagnostics canary", "-dumpdir canary"),
)
EVIL = "#!/bin/sh\ntouch canary ../canary\n"
BROKEN = """
import os, sys
import sley.cli.application as application
def broken(*_, **__):
    raise {error}
application.invoke = broken
import sley.cli.main as main
{before}
sys.argv = ["sley", "check", "safe.c"]
main.main()
"""
ERRORS = (
    *(
        "RuntimeError('oh')",
        "RecursionError()",
        "MemoryError()",
        "UnicodeDecodeError('utf-8', b'x', 0, 1, 'oh')",
    ),
    *("RuntimeError('\\udcff\\x1b[2J')", "type('Odd', (Exception,), {'__str__': lambda _: 1 / 0})()"),
    *("AssertionError(RuntimeError('a\\nRESULT: true'))", "type('Last', (BaseException,), {})()"),
)
BEFORE = {
    "": "",
    "no folder": "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')",
    "full errors": "sys.stderr = open('/dev/full', 'w')",
    "no errors": "os.close(2)",
    "no limits": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    "no files": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
}
HOMES: dict[str, dict[str, str | None]] = {
    "no home": {"HOME": None, "XDG_CACHE_HOME": None},
    "empty home": {"HOME": "", "XDG_CACHE_HOME": ""},
    "home is a file": {"HOME": "/dev/null", "XDG_CACHE_HOME": None},
    "cache is a file": {"XDG_CACHE_HOME": "/dev/null"},
    "no temporary folder": {"XDG_CACHE_HOME": "/dev/null", "TMPDIR": "/nowhere"},
}
STRANGER = "setpriv --reuid 54321 --clear-groups "


def executed() -> Iterator[Attack]:
    """Group 1."""
    group = "1 execution"
    task = {"t.yml": TASK, "p.prp": PROPERTY}
    for name in PLANTED:
        planted: dict[str, Content] = {f"{name}.py": EXECUTED, f"{name}/__init__.py": EXECUTED, **task}
        yield Attack(group, f"check beside {name}.py", ("check", "safe.c"), planted, (0,), is_process=True)
        yield Attack(group, f"a thread beside {name}.py", files=planted, codes=(0,), script=IN_A_THREAD)
    for name in DASHES:
        files: dict[str, Content] = {name: SAFE, "evil.so.c": EVIL, "arguments.c": "-fplugin=evil.so"}
        yield Attack(group, f"check ./{name}", ("check", f"./{name}"), files, (0,))
        yield Attack(group, f"show ./{name}", ("show", "cfg", f"./{name}"), files, (0,))
        database = json.dumps([{"directory": ".", "file": name, "command": f"cc ./{name}"}])
        yield Attack(group, f"database {name}", ("check", "db.json"), files | {"db.json": database}, (0,))


def codes() -> Iterator[Attack]:
    """Group 3."""
    group = "3 codes"
    for place, environment in HOMES.items():
        for before, script in BEFORE.items():
            yield Attack(
                group, f"a crash, {place}, {before or 'otherwise well'}", codes=(70,),
                script=BROKEN.format(error="RuntimeError('oh')", before=script), environment=environment,
            )  # fmt: skip
    for error in ERRORS:
        yield Attack(
            group, f"a crash with {error}", codes=(70,), script=BROKEN.format(error=error, before="")
        )
    for words, code in (("check safe.c", 0), ("check buggy.c", 1), ("check nothing.c", 2)):
        stranger = f"chmod 777 . ..; unset HOME XDG_CACHE_HOME; exec {STRANGER} $SLEY {words}"
        yield Attack(group, f"nobody's {words}", codes=(code,), shell=stranger)
        yield Attack(group, f"{words} without a folder", codes=(2,), shell=(
            f"mkdir gone; cd gone; rmdir ../gone; exec $SLEY {words.replace('check ', 'check ../')}"
        ).replace("../safe.c", "safe.c"))  # fmt: skip
        absolute = words.replace("check ", "check $TOP/folder/")
        yield Attack(group, f"{words} by its whole name without a folder", codes=(code, 2), shell=(
            f"mkdir gone; cd gone; rmdir ../gone; exec $SLEY {absolute}"
        ))  # fmt: skip
    nowhere = {
        "full": "/dev/full",
        "gone": "gone/x",
        "folder": "d",
        "long": "x" * 300,
    }
    for flag in ("json", "html", "sarif"):
        for name, file in nowhere.items():
            for source, code in (("safe.c", 0), ("buggy.c", 1)):
                is_known = file in ("d", "gone/x", "x" * 300)
                yield Attack(
                    group, f"{source} --{flag} {name}", ("check", source, f"--{flag}", file),
                    {"d": Folder()}, (code, 2) if is_known else (code,), says="sley: ",
                    results=(0, 1) if is_known else (1,),
                )  # fmt: skip
    for flag in ("--json r.json", "--proof r.json", "--sarif r.json --html r.html"):
        for source, code in (("safe.c", 0), ("buggy.c", 1)):
            limited = f"(ulimit -f 0; exec $SLEY check {source} {flag} 2>&1) | cat"
            shell = f"exec bash -o pipefail -c '{limited}'"
            yield Attack(group, f"{source} {flag}, no space", codes=(code,), shell=shell)


ANY_HELPER = (
    "mkdir -p $XDG_CACHE_HOME/sley; $SLEY check many.c >/dev/null 2>&1; cd $XDG_CACHE_HOME/sley/compiled && {change}; "
    "cd $TOP/folder; exec $SLEY check many.c --engine explore"
)
EVIL_LIBRARY = (
    "printf '#include <stdlib.h>\\n__attribute__((constructor)) void f(void){ system(\"touch '$TOP'/canary\"); }' "
    "> $TOP/e.c; cc -shared -fPIC -o $TOP/evil.so $TOP/e.c; rm $TOP/e.c; "
)
MANY = SAFE.replace("counter == 2", "counter == 3").replace(
    "    worker(0);\n", "    pthread_t b; pthread_create(&b, 0, worker, 0); worker(0); pthread_join(b, 0);\n"
)
CHANGES = {
    "a library of others": EVIL_LIBRARY + "for f in *.so; do cp $TOP/evil.so $f; chown 54321 $f; done",
    "a library that others may write": EVIL_LIBRARY
    + "for f in *.so; do cp $TOP/evil.so $f; chmod 666 $f; done",
    "a library with other content": EVIL_LIBRARY + "for f in *.so; do cp $TOP/evil.so $f; done",
    "a link to a library": EVIL_LIBRARY + "for f in *.so; do ln -sf $TOP/evil.so $f; done",
    "a folder of others": EVIL_LIBRARY + "for f in *.so; do cp $TOP/evil.so $f; done; chown 54321 .",
    "a folder that others may write": EVIL_LIBRARY
    + "for f in *.so; do cp $TOP/evil.so $f; done; chmod 777 .",
    "half a library": "for f in *.so; do head -c 2000 $f > x; mv x $f; done",
    "an empty library": "for f in *.so; do : > $f; done",
    "text": "for f in *.so; do echo hello > $f; done",
    "zeros": "for f in *.so; do head -c 20000 /dev/zero > $f; done",
    "a pipe": "for f in *.so; do rm $f; mkfifo $f; done",
    "a folder": "for f in *.so; do rm $f; mkdir $f; done",
    "a loop of links": "for f in *.so; do ln -sf $f $f; done",
    "a folder that cannot be written": "rm *; chmod 500 .",
    "a file instead of the folder": "cd ..; rm -r compiled; echo hello > compiled",
    "a link instead of the folder": EVIL_LIBRARY
    + "for f in *.so; do cp $TOP/evil.so $f; done; cd ..; mv compiled $TOP/home/x; ln -s $TOP/home/x compiled",
}
COMPILERS = {
    "hangs": "#!/bin/sh\nsleep 1000\n",
    "hangs with children": "#!/bin/sh\nsleep 1000 & sleep 1000 & wait\n",
    "fails": "#!/bin/sh\nexit 1\n",
    "makes nothing": "#!/bin/sh\nexit 0\n",
    "makes text": "#!/bin/sh\nfor a; do case $p in -o) echo hello > $a;; esac; p=$a; done\n",
    "speaks for ever": "#!/bin/sh\nwhile :; do echo hello; done\n",
}
TOML = 'properties = ["reach"]\n'


def caches() -> Iterator[Attack]:
    """Group 6."""
    group = "6 caches"
    for name, change in CHANGES.items():
        shell = ANY_HELPER.format(change=change)
        yield Attack(group, name, files={"many.c": MANY}, codes=(0, 1, 3), shell=shell, seconds=40)
    for name, compiler in COMPILERS.items():
        files: dict[str, Content] = {"bin/cc": compiler, "many.c": MANY}
        shell = (
            "chmod 755 bin/cc; PATH=$PWD/bin:$PATH exec $SLEY check many.c --engine explore --time-limit 8s"
        )
        yield Attack(group, f"a compiler that {name}", files=files, codes=(0, 1, 3), shell=shell, seconds=9)
        shell = "chmod 755 bin/cc; PATH=$PWD/bin:$PATH XDG_CACHE_HOME=/dev/null exec $SLEY check many.c --time-limit 8s"
        yield Attack(
            group,
            f"without a cache, a compiler that {name}",
            files=files,
            codes=(0, 1, 3),
            shell=shell,
            seconds=9,
        )
    for path in (".:", "", ":", "bin:"):
        for flags in ("", "--engine explore"):
            files = {"cc": EVIL, "gcc": EVIL, "bin/cc": EVIL, "many.c": MANY}
            shell = f"chmod 755 cc gcc bin/cc; PATH='{path}'$PATH exec $SLEY check many.c {flags}"
            yield Attack(
                group,
                f"a compiler in this folder, PATH={path} {flags}",
                files=files,
                codes=(0, 1, 3),
                shell=shell,
            )
    crash = '$PYTHON -P -c "$BROKEN" 2>/dev/null; cd $XDG_CACHE_HOME/sley; '
    broken = {"BROKEN": BROKEN.format(error="RuntimeError('oh')", before="")}
    checks = {
        "others cannot read crash files": 'test "$(stat -c %a crash-*)" = 600',
        "others cannot list crash files": 'test "$(stat -c %a .)" = 700',
        "names of crash files are not known before": "ls | grep -qv 'crash-[0-9]*-[0-9]*-[0-9]*.txt'",
    }
    for name, check in checks.items():
        yield Attack(group, name, codes=(0,), shell=f"umask 022; {crash} {check}", environment=broken)
    links = (
        "d=$(date +%Y%m%d); for s in 0 1 2 3 4 5 6 7 8 9; do for p in $(seq $$ $(($$ + 40))); do "
        'ln -s $TOP/folder/victim $XDG_CACHE_HOME/sley/crash-$(date -d "+$s seconds" +%Y%m%d-%H%M%S)-$p.txt; done; done'
    )
    yield Attack(
        group, "a crash file goes where a link points", codes=(0,), environment=broken,
        shell=f"mkdir -p $XDG_CACHE_HOME/sley; {links}; $PYTHON -P -c \"$BROKEN\" 2>/dev/null; test ! -e victim",
    )  # fmt: skip
    for whose, alter, is_obeyed in (
        ("mine", "true", True),
        ("root's", "chmod 755 . ..; chown 0 sley.toml", True),
        ("a stranger's", "chown 54321 sley.toml", False),
        ("one that others may write", "chmod 666 sley.toml", False),
        ("a link to a stranger's", "mv sley.toml s; chown 54321 s; ln -s s sley.toml", False),
        ("one in a folder of strangers", "chown 54321 .", False),
    ):
        shell = f"mkdir below; cp quiet.c below; {alter}; exec $SLEY check below/quiet.c"
        says = "(?s)only.*reach.*sley.toml|sley.toml.*only.*reach|narrow" if is_obeyed else "data race"
        code = (0,) if is_obeyed else (1,)
        yield Attack(
            group, f"sley.toml above: {whose}", files={"sley.toml": TOML}, codes=code, shell=shell, says=says
        )


AUDIT = """
import os, sys
seen = []
def hook(event, arguments):
    if event in ("subprocess.Popen", "os.exec", "os.system", "os.posix_spawn", "os.spawn"):
        program = str(arguments[0])
        told = " ".join(map(str, arguments[1])) if len(arguments) > 1 and arguments[1] else ""
        if "sley" not in told:
            open(os.environ["TOP"] + "/canary", "a").write(f"{event} {program} {told}\\n")
sys.addaudithook(hook)
import sley.cli.main
sys.argv = ["sley", *sys.argv[1:]]
sys.argv[1:] = os.environ["WORDS"].split()
sley.cli.main.main()
"""
BUILD_FILES: dict[str, Content] = {
    "Makefile": "all:\n\ttouch canary\n$(shell touch canary)\n",
    "CMakeLists.txt": "execute_process(COMMAND touch canary)\n",
    "configure": EVIL,
    "evil.sh": EVIL,
    "evil.rsp": "-fplugin=./evil.so",
    "evil.specs": "*cc1: %(evil)",
    "pipe": Fifo(),
    ".gdbinit": "shell touch canary\n",
    "conftest.py": EXECUTED,
    "setup.py": EXECUTED,
}


def executes() -> Iterator[Attack]:
    """Group 10."""
    group = "10 build"
    for flags in BUILDS:
        entry = {"directory": "{top}/folder", "file": "safe.c", "command": f"./evil.sh {flags} -c safe.c"}
        listed = {"directory": ".", "file": "safe.c", "arguments": ["./evil.sh", *flags.split(), "safe.c"]}
        for name, one in (("command", entry | {"directory": "."}), ("arguments", listed)):
            files = BUILD_FILES | {"compile_commands.json": json.dumps([one])}
            yield Attack(group, f"{name}: {flags}", ("check", ".", "--time-limit", "10s"), files, ANSWERS)
    commands = (
        *(
            "check safe.c",
            "check buggy.c",
            "check t.yml",
            "run safe.c",
            "run buggy.c --seed 1",
            "mine safe.c",
        ),
        *(
            "show cfg safe.c",
            "show trace",
            "show tree safe.c",
            "prove-check safe.c p.json",
            "validate-witness safe.c w.yml",
        ),
        *("check . --json r.json", "check buggy.c --html r.html --sarif s.json", "check lib.c --entry f"),
    )
    for words in commands:
        files = BUILD_FILES | {"t.yml": TASK, "p.prp": PROPERTY, "lib.c": "int x; void f(void) { x++; }\n"}
        files |= {
            "compile_commands.json": json.dumps(
                [{"directory": ".", "file": "safe.c", "command": "./evil.sh"}]
            )
        }
        files |= {"p.json": Asset((), ".json"), "w.yml": Asset((), ".yml")}
        yield Attack(group, words, files=files, script=AUDIT, environment={"WORDS": words})
    inside = (
        *('#include "|touch canary"', '#include "$(touch canary)"', "#pragma comment(lib, `touch canary`)"),
        *('__asm__("int3");', '__asm__(".incbin \\"/etc/passwd\\"");', "#pragma clang __debug crash"),
        *(
            "#pragma GCC poison main",
            "#embed </dev/zero>",
            '#include_next "safe.c"',
            "#pragma clang module build x",
        ),
        *(
            "#pragma clang __debug parser_crash",
            "#pragma clang __debug overflow_stack",
            "#pragma clang __debug llvm_fatal_error",
        ),
        *("#pragma clang __debug handle_crash", '#import "evil.sh"', "#pragma clang __debug assert"),
    )
    for text in inside:
        yield Attack(
            group,
            f"in the text: {text}",
            ("check", "x.c"),
            {"x.c": f"{text}\n{BUGGY}", "evil.sh": EVIL},
            (1, 2, 3, 4),
        )
