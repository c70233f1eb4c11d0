"""Random programs whose threads meet in tables: sections with computed indices, pointers, and tests of both.

Whether two of their steps commute depends on the state: on indices that one section reads and another one
changes, on what a way through a section asks before it is cut. So here wrong independence shows.
"""

from random import Random

from tests.fuzz.random_programs import HEADER

GLOBALS = """\
int t[2];
int i, j, x;
int *p = &t[0], *q = &t[1];
struct { int at, value; } s[2];
"""

PLACES = ("t[i & 1]", "t[j & 1]", "t[t[0] & 1]", "*p", "*q", "x", "i", "j", "t[0]", "t[1]")
FIELDS = ("s[i & 1].at", "s[i & 1].value", "s[s[j & 1].at & 1].value", "t[s[i & 1].at & 1]")


class TableGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"tables {seed}")
        self.places = PLACES if self.random.random() < 0.6 else PLACES + FIELDS

    def program(self) -> str:
        """The text of the program."""
        threads = self.random.choice((2, 2, 3))
        lengths = {2: (1, 4), 3: (1, 2)}[threads]
        bodies = [
            f"void *t{number}(void *arg) {{\n{self.steps(self.random.randint(*lengths))}  return 0;\n}}\n"
            for number in range(threads)
        ]
        return "\n".join((HEADER, GLOBALS, *bodies, self.main(threads)))

    def main(self, threads: int) -> str:
        """The main function: chooses indices, starts the threads, asserts something."""
        lines = [self.random.choice(("", "  i = __VERIFIER_nondet_bool();", "  i = 1;"))]
        lines.append(self.random.choice(("", "  j = !i;", "  j = __VERIFIER_nondet_bool();")))
        if self.random.random() < 0.4:
            lines.append("  __VERIFIER_assume(i != j);")
        if self.random.random() < 0.3:
            lines.append("  if (__VERIFIER_nondet_bool()) p = q;")
        lines.append(f"  pthread_t id[{threads}];")
        numbers = range(threads)
        lines += (f"  pthread_create(&id[{number}], 0, t{number}, 0);" for number in numbers)
        joined = [number for number in numbers if self.random.random() < 0.8]
        lines += (f"  pthread_join(id[{number}], 0);" for number in joined)
        lines.append(f"  assert({self.condition()});")
        return "int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"

    def steps(self, count: int) -> str:
        """Sections, mostly, and single accesses with an index read before."""
        return "".join(self.step() for _ in range(count))

    def step(self) -> str:
        kind = self.random.random()
        if kind < 0.12:
            return f"  {{ int l = {self.random.choice('ijx')}; t[l & 1] = {self.value()}; }}\n"
        if kind < 0.2:
            return f"  assert({self.condition()});\n"
        body = "".join(self.inside() for _ in range(self.random.choice((1, 1, 2))))
        return f"  __VERIFIER_atomic_begin(); {body}__VERIFIER_atomic_end();\n"

    def inside(self) -> str:
        kind, place = self.random.random(), self.random.choice(self.places)
        if kind < 0.45:
            return f"{place} = {self.value()}; "
        if kind < 0.6:
            return f"{place} = {place} + 1; "
        if kind < 0.75:
            return f"if ({self.condition()}) {place} = {self.value()}; "
        if kind < 0.85:
            return f"__VERIFIER_assume({self.condition()}); "
        if kind < 0.93:
            return f"{self.random.choice('pq')} = &t[{self.random.choice('ij01')} & 1]; "
        return f"assert({self.condition()}); "

    def value(self) -> str:
        chosen: str = self.random.choice((*self.places, "0", "1", "2", "x + 1", "__VERIFIER_nondet_bool()"))
        return chosen

    def condition(self) -> str:
        """A truth value."""
        relation = self.random.choice(("==", "!=", "<", "<="))
        simple = f"{self.random.choice(self.places)} {relation} {self.random.randint(0, 2)}"
        if self.random.random() < 0.25:
            return f"{simple} {self.random.choice(('&&', '||'))} {self.random.choice(self.places)} != 1"
        return simple
