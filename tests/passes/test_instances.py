"""Objects that are made anew while their former address is around: which of them get two places."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from sley.frontend.load import load
from sley.passes.constants import propagate_constants
from sley.passes.inline import inline
from sley.passes.instances import separate_instances
from sley.passes.outliving import Outliving
from sley.passes.pipeline import prepare
from sley.passes.properties import select_properties
from sley.program.memory import MemoryObject, Storage
from sley.program.program import Program
from sley.program.properties import Property
from tests.passes.test_meaning import outcomes
from tests.textual.validation import validate

DEREF = frozenset({Property.DEREF})
MOST_STATES = 20_000
LOOP = "int main(void) {{ int *p = 0; int r = 0; for (int i = 0; i < 2; i++) {{ {} }} return r; }}"


def program_of(text: str, folder: Path, *, keeps_frames: bool = False) -> Program:
    path = folder / "program.c"
    path.write_text(text)
    return load([path], keeps_frames=keeps_frames)


def doubled(program: Program) -> set[str]:
    """What the user calls the objects that have two places."""
    separated = separate_instances(propagate_constants(inline(program)))
    validate(separated, is_flat=True)
    objects = [o for f in separated.functions.values() for o in f.objects]
    return {o.c_name for o in objects if o.name.endswith("%2")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int x = i; if (p) r = *p; p = &x;", {"x"}),
        ("int x = i; int *q = &x; r += *q;", set()),
        ("int x = i; p = &x; r = *p; p = 0;", set()),
        ("int x = i; int y = i; if (p) r = *p; p = i ? &x : &y;", {"x", "y"}),
        ("int x = i; struct { int *a; } s = {&x}; r += *s.a;", set()),
        ("static int *g; int x = i; if (g) r = *g; g = &x;", {"x"}),
        ("int x = i; int **q = &p; if (p) r = **q; *q = &x;", {"x"}),
        ("int x = i; long n = (long)&x; if (p) r = *p; p = (int *)n;", {"x"}),
        ("{ int x = i; p = &x; } r = *p;", set()),
        ("int *q; { int x = i; q = &x; } { int x = i; if (p) r = *p; p = &x; } p = q;", {"x"}),
    ],
)
def test_only_what_may_be_outlived_has_two_places(body: str, expected: set[str], tmp_path: Path) -> None:
    assert doubled(program_of(LOOP.format(body), tmp_path)) == expected


def test_a_thread_may_keep_its_argument(tmp_path: Path) -> None:
    body = "pthread_t t; int x = i; pthread_create(&t, 0, f, &x); pthread_join(t, 0);"
    text = "#include <pthread.h>\nvoid *f(void *a) { return a; }\n" + LOOP.format(body)
    assert doubled(program_of(text, tmp_path)) == {"x"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("{ int x = 1; p = &x; } int y = 1; if (p == &y) r = 1;", True),
        ("{ int x = 1; p = &x; } int y = 1; p = &y; if (p == &r) r = y;", False),
        ("int x = 1; int y = 1; p = &x; if (p == &y) r = 1;", False),
        ("static int *g; { int x = 1; g = &x; } int y = 1; if (g == &y) r = 1;", True),
    ],
)
def test_what_equals_an_address_that_is_gone_is_chosen(body: str, *, expected: bool, tmp_path: Path) -> None:
    text = f"int main(void) {{ int *p = 0; int r = 0; {body} return r; }}"
    separated = separate_instances(propagate_constants(inline(program_of(text, tmp_path))))
    validate(separated, is_flat=True)
    registers = separated.functions["main"].registers
    assert any(register.name.startswith("%equal") for register in registers) == expected


# --- against two places for everything ----------------------------------------------------------------


class Source:
    """A random function with blocks, loops and jumps, and pointers that go everywhere."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def text(self) -> str:
        body = f"for (int i = 0; i < 3; i++) {{ int x = i; {self.block(1, ['x'], is_loop=True)} }}"
        return (
            "int *g; struct s { int *a; int n; };\n"
            "static int *id(int *a) { return a; }\n"
            "static int *own(int *a) { int y = 0; if (a) y = *a; int *z = &y; return z; }\n"
            "static int get(int **a) { int own = 0; int *k = *a; return k ? *k : own; }\n"
            f"int main(void) {{ int *p = 0, *q = 0, **h = &q; struct s t = {{0, 1}}; int r = 0; {body} }}\n"
        )

    def block(self, depth: int, names: list[str], *, is_loop: bool) -> str:
        inner = list(names)
        count = self.random.randint(2, 6)
        return " ".join(self.statement(depth, inner, is_loop=is_loop) for _ in range(count))

    def pointer(self, names: list[str]) -> str:
        if self.random.random() < 0.4:
            return f"&{self.random.choice(names)}"
        return self.random.choice(["p", "q", "g", "t.a", "*h", "id(p)", "own(q)", "own(g)", "0"])

    def statement(self, depth: int, names: list[str], *, is_loop: bool) -> str:
        choice = self.random.randrange(10 if depth else 7)
        if choice == 0:
            self.count += 1
            names.append(f"x{self.count}")
            return f"int x{self.count} = {self.count};"
        if choice in (1, 2, 3):
            return f"{self.random.choice(['p', 'q', 'g', 't.a', '*h'])} = {self.pointer(names)};"
        if choice == 4:
            return f"if ({self.random.choice(['p', 'q', 'g'])} != 0) r += get(&{self.random.choice('pq')});"
        if choice == 5:
            used = self.random.choice(["p", "q", "g", "t.a"])
            return f"if ({used}) {{ if (r < 3) r += *{used} > 1; }}"
        if choice == 6:
            return self.random.choice(["if (r) break;", "if (r) continue;"]) if is_loop else "h = &p;"
        if choice == 7:
            return f"{{ {self.block(depth - 1, names, is_loop=is_loop)} }}"
        self.count += 1
        body = self.block(depth - 1, names, is_loop=True)
        return f"for (int i{self.count} = 0; i{self.count} < 2; i{self.count}++) {{ {body} }}"


def everything(self: Outliving) -> Iterator[MemoryObject]:
    """All objects, instead of those that may be outlived."""
    return (o for o in self._function.objects if o.storage is Storage.LOCAL)


@pytest.mark.parametrize("seed", range(40))
def test_two_places_for_everything_find_no_more(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of(Source(seed).text(), tmp_path, keeps_frames=seed % 2 == 0)
    found = outcomes(prepare(program, DEREF), MOST_STATES)
    with monkeypatch.context() as patch:
        patch.setattr(Outliving, "found", everything)
        separated = separate_instances(inline(program))
    validate(separated, is_flat=True)
    wanted = outcomes(select_properties(separated, DEREF), MOST_STATES)
    if found is not None and wanted is not None:
        assert bool(found.failures) == bool(wanted.failures)
