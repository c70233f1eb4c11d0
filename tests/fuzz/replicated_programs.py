"""Random programs in which a function is started several times."""

from tests.fuzz.random_programs import GLOBALS, HEADER, Generator


class ReplicatedGenerator(Generator):
    """Programs in which a function is started several times, one after another or in a loop."""

    def program(self) -> str:
        """The text of the program."""
        functions = self.random.choice((1, 1, 1, 2))
        length = self.random.randint(1, 3 if functions == 1 else 2)
        parts = [HEADER, GLOBALS]
        for number in range(functions):
            self.locals = 0
            body = self.block(length, 1)
            parts.append(f"void *t{number}(void *arg) {{\n{body}  return 0;\n}}\n")
        parts.append(self.main(functions))
        return "\n".join(parts)

    def main(self, threads: int) -> str:
        """Starts every function a few times; joins them, at times."""
        self.locals = 0
        lines = ["  pthread_t id[4];"]
        started = 0
        for number in range(threads):
            copies = self.random.choice((2, 2, 3)) if threads == 1 else self.random.choice((1, 2))
            if self.random.random() < 0.5:
                create = f"pthread_create(&id[{started} + i], 0, t{number}, 0)"
                lines.append(f"  for (int i = 0; i < {copies}; i++) {create};")
            else:
                lines += [f"  pthread_create(&id[{started + i}], 0, t{number}, 0);" for i in range(copies)]
            started += copies
            if self.random.random() < 0.2:
                lines.append(self.statement(1).rstrip("\n"))
        if self.random.random() < 0.5:
            lines.extend(f"  pthread_join(id[{number}], 0);" for number in range(started))
            lines.append(f"  assert({self.condition()});")
        else:
            lines.append("  pthread_exit(0);")
        return "int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"

    def statement(self, depth: int) -> str:
        """One statement; the heap is beyond the engine."""
        kinds = ["assign", "assign", "add", "local", "atomic", "lock", "assert", "assert", "cas", "assume"]
        if depth < 2:
            kinds += ["if", "loop", "choice", "section", "gate"]
        kinds += ["pointer", "divide", "end"]
        if self.is_atomic:
            kinds = ["assign", "add", "atomic", "assume", "end"]
        made: str = getattr(self, "_" + self.random.choice(kinds))(depth)
        return made
