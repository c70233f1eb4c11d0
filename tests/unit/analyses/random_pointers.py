"""Random flat programs that push addresses around: through registers, memory, threads, the heap.

Most accesses are valid, because addresses are mostly taken where they can be accessed; others cut the run.
"""

import random

from sley.program.program import Program
from tests.unit.analyses.programs import parsed

NODE = "{ .next : i64 pointer @0, .value : i32 @8 } size 16"
GLOBALS = f"""
global x : i32 = 0
global p : i64 pointer = &s
global q : i64 pointer
global s : {NODE}
global arr : [4 x i64]
global raw : [16 x i8]
global m : i32 = 0
"""


def random_program(seed: int, *, frees: bool = True) -> Program:
    """The program of that number."""
    choose = random.Random(seed)
    count = choose.choice((1, 2))
    text = GLOBALS
    for number in range(count):
        text += _thread(choose, f"w{number}", 100 * (number + 1), creates=(), frees=frees)
    created = [f"w{choose.randrange(count)}" for _ in range(choose.choice((1, 2)))]
    return parsed(text + _thread(choose, "main", 0, creates=created, frees=frees))


def _thread(choose: random.Random, name: str, base: int, *, creates: object, frees: bool) -> str:
    lines = [f"thread {name}(a : i64) {{"]
    lines += [f"  reg {r} : i64" for r in ("b", "c", "h")]
    lines += [
        "  reg t : i32",
        "  reg u : i32",
        f"  local loc : {NODE}",
        f"  entry {base} exit {base + 99}",
        f"  {base} -> {base + 1} : enter loc" + choose.choice(("", " zeroed")),
        f"  {base + 1} -> {base + 2} : b := &s, c := &loc, t := 0:i32",
    ]
    at = base + 2
    assert isinstance(creates, list | tuple)
    for template in creates:
        argument = choose.choice(("&s", "&loc", "&x", "0:i64"))
        lines.append(f"  {at} -> {at + 1} : create h, {template}({argument})")
        at += 1
    for _ in range(choose.randint(4, 12)):
        at = _line(choose, lines, base, at, frees=frees)
    ending = choose.choice((f"exit {choose.choice('abc')}", "exit 0:i64"))
    lines.append(f"  {at} -> {base + 99} : {'end return' if name == 'main' else ending}")
    return "\n".join(lines) + "\n}\n"


def _line(choose: random.Random, lines: list[str], base: int, at: int, *, frees: bool) -> int:
    """Add one instruction, or a few that belong together; the location after it."""
    r, other = choose.choice("abc"), choose.choice("abc")
    kind = choose.randrange(12)
    if kind == 0 and at > base + 5:  # a branch back or ahead
        back = choose.randrange(base + 2, at)
        lines.append(f"  {at} -> {back} : assume (= t 7:i32)")
        lines.append(f"  {at} -> {at + 1} : assume (not (= t 7:i32))")
        return at + 1
    if kind == 1:
        lines.append(f"  {at} -> {at + 1} : lock m")
        lines.append(f"  {at + 1} -> {at + 2} : {_instruction(choose, r, other, frees=frees)}")
        lines.append(f"  {at + 2} -> {at + 3} : unlock m")
        return at + 3
    if kind == 2:
        lines.append(f"  {at} -> {at + 1} : atomic_begin")
        lines.append(f"  {at + 1} -> {at + 2} : {_instruction(choose, r, other, frees=frees)}")
        lines.append(f"  {at + 2} -> {at + 3} : {_instruction(choose, r, other, frees=frees)}")
        lines.append(f"  {at + 3} -> {at + 4} : atomic_end")
        return at + 4
    if kind == 3:  # a block that is filled before it is published, or not
        lines.append(f"  {at} -> {at + 1} : allocate {r}, 16:i64, {NODE}" + choose.choice(("", " zeroed")))
        lines.append(f"  {at + 1} -> {at + 2} : store *{r}, {choose.choice((other, '&x', '0:i64'))}")
        lines.append(f"  {at + 2} -> {at + 3} : store {choose.choice('pq')}, {r}")
        return at + 3
    lines.append(f"  {at} -> {at + 1} : {_instruction(choose, r, other, frees=frees)}")
    return at + 1


def _instruction(choose: random.Random, r: str, other: str, *, frees: bool) -> str:
    index = "(bvmul (zero_extend 32 (bvand t 3:i32)) 8:i64)"
    return choose.choice(
        [
            f"{r} := {choose.choice(('&s', '&loc', '&arr', '&arr+8', '&x', '&raw'))}",
            f"{r} := {other}",
            f"{r} := (bvadd {other} {choose.choice((8, 4, 0xFFFFFFFFFFFFFFF8))}:i64)",
            f"{r} := (bvadd &arr {index})",
            f"{r} := (ite (= t 0:i32) {other} &arr)",
            f"{r} := (bvand {other} 0xfffffffffffffff0:i64)",
            f"{r} := (bvxor {other} (bvxor {r} &s))",
            f"load {r}, *{other}",
            f"load {r}, {choose.choice('pq')}",
            f"load {r}, s",
            f"load t, *{other}",
            "load t, x",
            f"store *{r}, {other}",
            f"store {choose.choice('pq')}, {r}",
            f"store s, {r}",
            f"store raw+{choose.choice((0, 8, 4))}, {r}",
            f"load {r}, raw+{choose.choice((0, 8))}",
            f"store *{r}, t",
            "store x, (bvadd t 1:i32)",
            f"update u, *{r}, (bvadd u 1:i32)",
            f"allocate {r}, 16:i64, {NODE} zeroed",
            f"allocate {r}, 32:i64, i64 zeroed",
            f"free {r}" if frees else "skip",
            "t := (bvadd t 1:i32)",
        ]
    )
