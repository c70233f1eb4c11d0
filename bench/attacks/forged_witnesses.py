"""Witnesses with invariants that are false, and hide it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.attacks.attack import LOOP, Content


@dataclass(frozen=True)
class Claim:
    """An invariant and where it is said to hold."""

    text: str
    line: int
    is_loop: bool


def entry(text: str, line: int = 4, *, is_loop: bool = True) -> Claim:
    return Claim(text, line, is_loop)


def witness(program: str, claims: Sequence[Claim], file: str = "loop.c") -> str:
    digest = hashlib.sha256(program.encode()).hexdigest()
    head = {
        "entry_type": "invariant_set",
        "metadata": {
            "format_version": "2.0", "uuid": "0", "creation_time": "now", "producer": {"name": "a", "version": "1"},
            "task": {
                "input_files": [file], "input_file_hashes": {file: digest}, "language": "C", "data_model": "LP64",
                "specification": "G ! call(reach_error())",
            },
        },
    }  # fmt: skip
    content = [
        {"invariant": {
            "type": "loop_invariant" if one.is_loop else "location_invariant", "format": "c_expression",
            "location": {"file_name": file, "line": one.line, "column": 5, "function": "main"}, "value": one.text,
        }}
        for one in claims
    ]  # fmt: skip
    return json.dumps([{**head, "content": content}])


FALSE = (
    *(
        "i == 0",
        "i < 3",
        "0",
        "i == 0 && 1",
        "!1",
        "i - i",
        "i > 3",
        "(i, 0)",
        "1 ? i == 0 : 1",
        "sizeof(int) == 1",
    ),
    *(
        "'a' == 'b'",
        "i == 07 - 7",
        "i == 0x0",
        "0u",
        "-1 > 0u == 0",
        "(char)256",
        "1 == 2 ? 0 : i == 0",
        "*p == 0",
    ),
)
HIDING = (
    *(
        "{} /*x",
        "{} //x",
        "{} /* x */",
        "{} // x",
        "1 //{}",
        "1 /* && {} */",
        '"/*" && {}',
    ),
    *(
        '{} || "*/" == 0',
        '1 /*p || "*/" && {}',
        '"//" && {}',
        "1; {}",
        "{}; 1",
        "1 \\\n&& {}",
        "1 ??/\n && {}",
    ),
    *("1 /\\\n/ {}", "1 /\\\n*p", "1)) {} ((1", "1); ({}", "'\"' && {} && '\"'", "1 %:%: {}", "1 <: {} :>"),
    *("1 /*p; {} */ 1", "'/*' && {}", "{} && '*/'", '"\\"/*" && {} && "*/"', "1\f&& {}", "1\v/*p\v&& {}"),
    *("1\u2028&& {}", "({}) || !1", '_Pragma("x") {}', "__LINE__ == 0 || {}", "L'/*' && {}", 'u8"/*" && {}'),
)


def hidden() -> Iterator[tuple[str, dict[str, Content], str]]:
    """False invariants at a loop and before a statement, hidden in all ways."""
    files: dict[str, Content]
    for number, text in enumerate(FALSE):
        if text not in ("(char)256",):
            files = {"w.yml": witness(LOOP, [entry(text)])}
            yield f"false: {text}", files, "loop.c"
        way = HIDING[number % len(HIDING)]
        files = {"w.yml": witness(LOOP, [entry(way.format(text), 7, is_loop=False)])}
        yield f"false at a statement: {way.format(text)!r}", files, "loop.c"
    for way in HIDING:
        files = {"w.yml": witness(LOOP, [entry(way.format("i == 0"))])}
        yield f"hidden: {way.format('i == 0')!r}", files, "loop.c"
    for first, second in (
        ("i >= 0 /*p", '"*/" && i == 0'), ("i == 0 /*p", 'i >= 0 && "*/)) ; ({"'), ("1 /*p", "1 */p"),
        ("i == 0 //p", "1"), ("1 /*p", "i == 0"), ('1 || "', '" && i == 0'),
    ):  # fmt: skip
        for pair in ((first, second), (second, first)):
            for is_loop in (True, False):
                line = 4 if is_loop else 7
                files = {"w.yml": witness(LOOP, [entry(one, line, is_loop=is_loop) for one in pair])}
                yield f"two: {pair}, {'loop' if is_loop else 'statement'}", files, "loop.c"


TRICKS = {
    "if never": "#define if(x) while (0)\n",
    "not not": "#define if(x) if (0 && (x))\n",
    "nobody called": "#define __witness_invariant_is_false() ((void)0)\n",
    "nothing refuted": "#define __witness_invariant_is_false(...)\n",
    "no sections": "#define __VERIFIER_atomic_begin() if (0) {\n#define __VERIFIER_atomic_end() }\n",
    "own function": "void __witness_invariant_is_false(void) { }\n",
    "declared": "void __witness_invariant_is_false(void) __attribute__((noreturn));\n",
    "extern": "#define extern if (0) extern\n",
    "a section that is none": (
        "#define __VERIFIER_atomic_begin(...) a_##__VA_ARGS__\n#define a_ if (0) {\n#define a_void *q\n"
        "#define __VERIFIER_atomic_end(...) b_##__VA_ARGS__\n#define b_ }\n#define b_void *r\n"
    ),
    "a keyword in pieces": "#\\\ndefine /* \n */ if(x) if (0 && (x))\n",
    "i is another": "#define i 0\n",
}


def in_programs() -> Iterator[tuple[str, dict[str, Content], str]]:
    """The program itself helps: with macros, or text that only looks like code."""
    files: dict[str, Content]
    for name, before in TRICKS.items():
        program = before + LOOP
        shift = before.count("\n")
        claims = [entry("i == 0", 4 + shift)]
        if name == "i is another":
            program = LOOP.replace("    while", "#define i 0\n    while").replace(
                "        i = i", "#undef i\n        i = i"
            )
            claims = [entry("i == 9", 5)]
        files = {"x.c": program, "w.yml": witness(program, claims, "x.c")}
        yield f"a program with: {name}", files, "x.c"
    for name, program, claim in (
        ("a comment that goes on", LOOP.replace("    i = i;", "    // \\\n    i = i;"), entry("0", 8, is_loop=False)),
        ("dead text", LOOP.replace("    i = i;", "#if 0\n    i = i;\n#endif"), entry("0", 8, is_loop=False)),
        ("an argument", "#define DROP(x)\n" + LOOP.replace("    i = i;", "    DROP(;\n    i = i;)"), entry("0", 9, is_loop=False)),
        ("a loop in a comment", LOOP.replace("    while (i < 3)", "// \\\n    while (i > 3) {}\n    while (i < 3)"), entry("0", 5)),
        ("a string", LOOP.replace("    i = i;", '    char *s = "\\\n    i = i;";'), entry("0", 8, is_loop=False)),
        ("a type", LOOP.replace("    i = i;", "    int q[sizeof(int)];\n    i = i;"), entry("0", 8, is_loop=False)),
    ):  # fmt: skip
        files = {"x.c": program, "w.yml": witness(program, [claim], "x.c")}
        yield f"an invariant in {name}", files, "x.c"
