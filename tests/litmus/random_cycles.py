"""Random critical cycles: two to four threads, each with at most one step from one location to the next."""

from random import Random

from sley.program.memory_model import MemoryModel
from tests.litmus.cycles import COMMUNICATIONS, Test, cycle_name, cycle_test, directions

MODELS = {
    "C": (MemoryModel.C11,),
    "X86": (MemoryModel.TSO, MemoryModel.PSO),
    "PPC": (MemoryModel.PSO, MemoryModel.RMO, MemoryModel.POWER),
    "AArch64": (MemoryModel.ARMV8,),
}
"""By language, the models that the tests are for."""

_BETWEEN: dict[str, dict[str, tuple[str, ...]]] = {
    "C": dict.fromkeys(("RR", "RW", "WW", "WR"), ("po", "po", "acquire", "release", "acq_rel", "seq_cst")),
    "X86": {
        "RR": ("po", "lfence", "mfence"),
        "RW": ("po", "lfence", "mfence"),
        "WW": ("po", "sfence", "mfence"),
        "WR": ("po", "sfence", "mfence"),
    },
    "PPC": {
        "RR": ("po", "isync", "ctrl", "addr", "ctrlisync", "lwsync", "sync"),
        "RW": ("po", "data", "ctrl", "addr", "ctrlisync", "lwsync", "sync"),
        "WW": ("po", "eieio", "lwsync", "sync"),
        "WR": ("po", "eieio", "lwsync", "sync"),
    },
    "AArch64": {
        "RR": ("po", "isb", "ctrl", "addr", "ctrlisb", "acq", "acqpc", "dmb.ld", "dmb.sy"),
        "RW": ("po", "data", "ctrl", "addr", "ctrlisb", "acq", "rel", "dmb.ld", "dmb.sy"),
        "WW": ("po", "dmb.st", "rel", "dmb.sy"),
        "WR": ("po", "dmb.st", "relacq", "relacqpc", "dmb.sy"),
    },
}
_INTERNAL = ("Rfi", "Fri", "Coi")
_EXTERNAL = {("W", "R"): "Rfe", ("R", "W"): "Fre", ("W", "W"): "Coe"}
_ORDERS = {"R": ("relaxed", "acquire", "seq_cst"), "W": ("relaxed", "release", "seq_cst")}


def random_cycle_test(seed: int) -> tuple[Test, str]:
    """A test, and its language."""
    random = Random(seed)
    language = random.choice(tuple(MODELS))
    while True:
        edges = _edges(random, language)
        if edges is not None:
            break
    test = cycle_test(f"{seed}+{cycle_name(edges)}", edges)
    if language == "C":
        strong = random.random()
        test = test.with_orders([_order(random, one.kind, strong) for one in test.accesses])
    return test, language


def _order(random: Random, kind: str, strong: float) -> str:
    return "seq_cst" if random.random() < strong**2 else random.choice(_ORDERS[kind])


def _edges(random: Random, language: str) -> list[str] | None:
    """A cycle; None if what was drawn is none."""
    threads = [_thread(random, language) for _ in range(random.choice((2, 2, 2, 3, 3, 4)))]
    if sum(":" in edge for thread in threads for edge in thread if edge) < 2:
        return None
    edges: list[str] = []
    for thread, after in zip(threads, threads[1:] + threads[:1], strict=True):
        link = _EXTERNAL.get((_ends(thread)[1], _ends(after)[0]))
        if link is None:
            return None
        edges += [*(edge for edge in thread if len(edge) > 1), link]
    accesses = len(edges)
    return edges if accesses <= 10 else None


def _thread(random: Random, language: str) -> list[str]:
    """The edges inside a thread; of a thread with one event, the event."""
    if random.random() < 0.15:
        return [random.choice("RW")]
    pair = random.choice(("RR", "RW", "WW", "WR"))
    edges = [f"{random.choice(_BETWEEN[language][pair])}:{pair}"]
    if random.random() < 0.3:
        edges.insert(0, random.choice([e for e in _INTERNAL if COMMUNICATIONS[e][1] == pair[0]]))
    if random.random() < 0.3:
        fitting = [e for e in _INTERNAL if COMMUNICATIONS[e][0] == pair[1]]
        edges.append(random.choice(fitting))
    return edges


def _ends(thread: list[str]) -> tuple[str, str]:
    if len(thread[0]) == 1:
        return thread[0], thread[0]
    return directions(thread[0])[0], directions(thread[-1])[1]
