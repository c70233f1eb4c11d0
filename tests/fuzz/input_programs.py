"""Random programs with more inputs, stale pointers and endless loops than the others."""

from tests.fuzz.random_programs import Generator

MORE_GLOBALS = """\
extern unsigned char __VERIFIER_nondet_uchar(void);
int *heap;
int *of_other;
__thread int own;
_Atomic int turn;
"""


class InputGenerator(Generator):
    """Writes programs with more inputs, stale pointers and endless loops than the others."""

    EXTRA = (
        "input",
        "input",
        "stale",
        "publish",
        "own",
        "turn",
        "turn",
        "atomic_loop",
        "leave",
        "two_inputs",
    )

    def program(self) -> str:
        """The text of the program."""
        return MORE_GLOBALS + super().program()

    def statement(self, depth: int) -> str:
        """One statement."""
        if self.is_atomic or self.random.random() < 0.65:
            return super().statement(depth)
        made: str = getattr(self, "_" + self.random.choice(self.EXTRA))(depth)
        return made

    def _fresh(self, letter: str) -> str:
        self.locals += 1
        return f"{letter}{self.locals}"

    def _input(self, depth: int) -> str:
        pad, name = "  " * depth, self._fresh("n")
        use = self.random.choice(
            (
                f"x = {name};",
                f"y = y * {name};",
                f"if ({name} == x) y = 1;",
                f"assert(x * {name} == 0);",
                f"arr[{name}] = 1;",
            )
        )
        return f"{pad}int {name} = __VERIFIER_nondet_uchar() & 1; {use}\n"

    def _two_inputs(self, depth: int) -> str:
        pad, one, other = "  " * depth, self._fresh("n"), self._fresh("n")
        return (
            f"{pad}__VERIFIER_atomic_begin(); int {one} = __VERIFIER_nondet_bool(), "
            f"{other} = __VERIFIER_nondet_bool(); if ({one} == 0 && {other} == 1) {self.variable()} = {one}; "
            "__VERIFIER_atomic_end();\n"
        )

    def _stale(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(
            (
                "heap = malloc(sizeof(int));\n",
                "heap = calloc(1, sizeof(int));\n",
                "free(heap);\n",
                "free(heap); heap = 0;\n",
                "*heap = 1;\n",
                "if (heap) x = *heap;\n",
                "if (heap == of_other) y = 1;\n",
                "of_other = heap;\n",
            )
        )

    def _publish(self, depth: int) -> str:
        pad, name = "  " * depth, self._fresh("v")
        return (
            f"{pad}{{ int {name} = {self.random.randint(0, 1)}; of_other = &{name}; "
            f"{self.variable()} = {name}; if ({self.condition()}) of_other = 0; }} "
            "if (of_other) *of_other = 2;\n"
        )

    def _own(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(("own = x;\n", "of_other = &own;\n", "own++; y = own;\n"))

    def _turn(self, depth: int) -> str:
        pad, number = "  " * depth, self.random.randint(0, 2)
        return pad + self.random.choice(
            (
                f"while (turn != {number}) ;\n",
                f"turn = {number};\n",
                f"__VERIFIER_assume(turn == {number});\n",
            )
        )

    def _atomic_loop(self, depth: int) -> str:
        pad, name = "  " * depth, self._fresh("n")
        return (
            f"{pad}while (x == 0) {{ __VERIFIER_atomic_begin(); int {name} = __VERIFIER_nondet_bool(); "
            f"assert(y * {name} == 0); y = {name} == 0; __VERIFIER_atomic_end(); }}\n"
        )

    def _leave(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(
            (
                "pthread_exit(0);\n",
                "exit(0);\n",
                "pthread_detach(pthread_self());\n",
                "pthread_mutex_lock(&m);\n",
            )
        )
