"""The threads of a run, with the names that users see."""

from bisect import bisect_left, insort

from sley.evidence.trace import ThreadInfo


class Threads:
    """Grows with the run; a name is only sure when all threads are there."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        """What each thread starts with."""
        self._of_function: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.functions)

    def start(self, function: str) -> None:
        """One more thread is there."""
        self._of_function.setdefault(function, []).append(len(self.functions))
        self.functions.append(function)

    def rename(self, thread: int, function: str) -> None:
        """It turns out which function of the user's a thread runs that the library has started."""
        self._of_function[self.functions[thread]].remove(thread)
        insort(self._of_function.setdefault(function, []), thread)
        self.functions[thread] = function

    def name(self, thread: int) -> str:
        """The function, with a number if other threads start with it, too."""
        function = self.functions[thread]
        same = self._of_function[function]
        return function if len(same) == 1 else f"{function} #{bisect_left(same, thread) + 1}"

    def infos(self) -> tuple[ThreadInfo, ...]:
        """All of them."""
        return tuple(ThreadInfo(i, self.name(i), function) for i, function in enumerate(self.functions))
