"""Random programs from corners: same seed, same program."""

from random import Random

from tests.fuzz.judge import (
    copies,
    freedom,
    language,
    library,
    memory,
    objects,
    services,
    texts,
    threads,
    values,
)
from tests.fuzz.judge.draft import Corner, Draft, Program

SEQUENTIAL: dict[str, tuple[Corner, int]] = {
    **values.CORNERS,
    **memory.CORNERS,
    **copies.CORNERS,
    **library.CORNERS,
    **language.CORNERS,
    **freedom.CORNERS,
    **services.CORNERS,
    **texts.CORNERS,
}

THREADED: dict[str, tuple[Corner, int]] = {**threads.SHAPES, **objects.SHAPES}

HEADERS = (
    "assert.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "limits.h",
    "math.h",
    "pthread.h",
    "semaphore.h",
    "stdarg.h",
    "stdatomic.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
)

GNU = "#define _GNU_SOURCE"
"""Before all headers: what glibc has beside POSIX."""
THREADED_SHARE = 0.35


def random_program(seed: int) -> Program:
    """The program of a seed."""
    random = Random(seed)
    return threaded(seed, random) if random.random() < THREADED_SHARE else sequential(seed, random)


def sequential(seed: int, random: Random) -> Program:
    """One to three corners after each other, at most one of them wrong."""
    draft = Draft(random)
    chosen = random.choices(
        list(SEQUENTIAL), [weight for _, weight in SEQUENTIAL.values()], k=random.randint(1, 3)
    )
    wrong = random.randrange(len(chosen)) if random.random() < 0.75 else None
    for position, name in enumerate(chosen):
        draft.may_fail = position == wrong
        surrounded(draft, SEQUENTIAL[name][0])
        draft.may_fail = False
        if draft.has_ended:
            break
    draft.line("return 0;")
    text = "\n".join([*draft.top, "", "int main(void)", "{", *draft.lines, "}", ""])
    return Program(seed, tuple(chosen), text, (*draft.names, "main"), False, draft.is_open, draft.fault)


def threaded(seed: int, random: Random) -> Program:
    """One shape, right or wrong."""
    draft = Draft(random)
    name = random.choices(list(THREADED), [weight for _, weight in THREADED.values()])[0]
    draft.may_fail = random.random() < 0.6
    THREADED[name][0](draft)
    draft.line("return 0;")
    declared = "extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);"
    declared = declared if any("__VERIFIER" in line for line in draft.top) else ""
    text = "\n".join([declared, *draft.top, "", "int main(void)", "{", *draft.lines, "}", ""])
    return Program(
        seed, (name,), text, (*draft.names, "main"), True, draft.is_open, draft.fault, draft.disbelieved
    )


def surrounded(draft: Draft, corner: Corner) -> None:
    """A corner as it is, in a block, in a loop, in a branch, or in a function of its own."""
    form = draft.random.choices(("plain", "loop", "branch", "function"), (5, 2, 2, 3))[0]
    if form == "plain":
        with draft.block():
            corner(draft)
    elif form == "loop":
        counter = draft.name("round")
        with draft.block(f"for (int {counter} = 0; {counter} < {draft.number(1, 2)}; {counter}++)"):
            corner(draft)
    elif form == "branch":
        name = draft.name("yes")
        draft.file_scope(f"static int {name} = 1;", name)
        with draft.block(f"if ({name})"):
            corner(draft)
    else:
        name = draft.name("part")
        with draft.function(f"static int {name}(void)", name):
            corner(draft)
            draft.line("return 0;")
        draft.line(f"{name}();")


def complete(program: Program, check: str) -> str:
    """The program as C, given what its checks are."""
    includes = "\n".join(f"#include <{header}>" for header in HEADERS)
    pause = "#ifndef PAUSE\n#define PAUSE() ((void)0)\n#endif"
    return f"{GNU}\n{includes}\n{pause}\n{check}\n{program.text}"
