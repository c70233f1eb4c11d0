"""Random programs that compute with inputs and compare them with each other.

Each input has few values, by a mask, a remainder or an assumption: so a search that tries every value of
every input has an answer, too.
"""

from random import Random

_HEAD = """\
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char a, b;
signed char c;
int x, y;
_Atomic int z;
int arr[4];
unsigned char few(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(n < 8 || n > 247);
  return n;
}
"""

FEW: tuple[int, ...] = (*range(8), *range(248, 256))
"""What an input may be at first."""


class RelatedGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"related {seed}")
        self.locals: list[str] = []
        self.count = 0

    def program(self) -> str:
        """The text of the program."""
        threads = self.random.randint(1, 2)
        parts = [_HEAD]
        for number in range(threads):
            self.locals = []
            parts.append(
                f"void *t{number}(void *p) {{\n{self.body(self.random.randint(1, 3))}  return 0;\n}}\n"
            )
        self.locals = []
        inputs = "".join(self.input(name) for name in self.random.sample("abcxyz", self.random.randint(1, 2)))
        ids = ", ".join(f"i{number}" for number in range(threads))
        created = "".join(f"  pthread_create(&i{n}, 0, t{n}, 0);\n" for n in range(threads))
        joined = "".join(f"  pthread_join(i{n}, 0);\n" for n in range(threads))
        middle, end = self.body(self.random.randint(0, 1)), self.body(self.random.randint(0, 1))
        final = f"  assert({self.condition()});\n" if self.random.random() < 0.7 else ""
        body = f"{inputs}{created}{middle}{joined}{end}{final}"
        return "".join((*parts, f"int main(void) {{\n  pthread_t {ids};\n{body}  return 0;\n}}\n"))

    def body(self, count: int) -> str:
        """Some statements."""
        return "".join(self.statement() for _ in range(count))

    def input(self, name: str) -> str:
        """A variable gets one of few values."""
        kind = self.random.randrange(4)
        if kind == 0:
            return f"  {name} = few() & {self.random.choice((1, 3, 6))};\n"
        if kind == 1:
            return f"  {name} = few() % {self.random.randint(2, 4)};\n"
        if kind == 2 or name in "ab":
            most = self.random.randint(1, 4)
            return f"  {name} = few(); __VERIFIER_assume({name} <= {most});\n"
        return f"  {name} = (signed char)few(); __VERIFIER_assume(-2 <= {name} && {name} <= 1);\n"

    def place(self) -> str:
        """What can be written."""
        places = ["a", "b", "c", "x", "y", "z", *self.locals]
        if self.random.random() < 0.15:
            return f"arr[{self.random.choice(('a', 'b', *self.locals, 'x'))} & 3]"
        return self.random.choice(places)

    def expression(self, depth: int = 2) -> str:
        """What can be read."""
        if depth == 0 or self.random.random() < 0.35:
            return self.place() if self.random.random() < 0.75 else str(self.random.randint(-1, 5))
        operator = self.random.choice(("+", "+", "-", "-", "*", "&", "^", "|"))
        if self.random.random() < 0.1:
            divisor = self.random.choice((2, 3, 7))
            return f"({self.expression(depth - 1)} {self.random.choice('/%')} {divisor})"
        return f"({self.expression(depth - 1)} {operator} {self.expression(depth - 1)})"

    def condition(self) -> str:
        """A comparison, or two."""
        compared = (
            f"{self.expression(1)} {self.random.choice(('<', '<=', '==', '!=', '>'))} {self.expression(1)}"
        )
        if self.random.random() < 0.2:
            return f"({compared}) {self.random.choice(('&&', '||'))} {self.condition()}"
        return compared

    def statement(self) -> str:
        """One statement."""
        made: str = self.random.choice(
            (
                self._assign,
                self._assign,
                self._branch,
                self._branch,
                self._new,
                self._assume,
                self._assert,
                self._locked,
                self._atomic,
                self._exchange,
                self._wait,
            )
        )()
        return made

    def _assign(self) -> str:
        return f"  {self.place()} = {self.expression()};\n"

    def _branch(self) -> str:
        other = f" else {{ {self._assign().strip()} }}" if self.random.random() < 0.4 else ""
        return f"  if ({self.condition()}) {{ {self._assign().strip()} }}{other}\n"

    def _new(self) -> str:
        self.count += 1
        name = f"n{self.count}"
        made = f"  int {name}; {self.input(name).strip()}\n"
        self.locals.append(name)
        return made + self._branch()

    def _assume(self) -> str:
        return f"  __VERIFIER_assume({self.condition()});\n"

    def _assert(self) -> str:
        return f"  assert({self.condition()});\n"

    def _locked(self) -> str:
        return f"  pthread_mutex_lock(&m);\n{self._assign()}{self._branch()}  pthread_mutex_unlock(&m);\n"

    def _atomic(self) -> str:
        inside = self.random.choice((self._branch, self._new, self._assume, self._assign))()
        return f"  __VERIFIER_atomic_begin();\n{inside}  __VERIFIER_atomic_end();\n"

    def _wait(self) -> str:
        self.count += 1
        name = f"n{self.count}"
        inside = f"  int {name}; {self.input(name).strip()}\n  __VERIFIER_assume({name} < {self.place()});\n"
        return f"  __VERIFIER_atomic_begin();\n{inside}  __VERIFIER_atomic_end();\n"

    def _exchange(self) -> str:
        return f"  z {self.random.choice(('+=', '-='))} {self.expression(1)};\n"


def related_program(seed: int) -> str:
    """The program of a seed."""
    return RelatedGenerator(seed).program()
