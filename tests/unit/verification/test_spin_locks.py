"""``pthread_spin_unlock`` is a store like others to a machine, and gives back a lock everywhere else."""

from pathlib import Path

import pytest

from sley.program.memory_model import MemoryModel
from sley.program.printer import print_program
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.textual.parser import parse_program

CROSSED = """
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t one, other;
int x, y, first, second;

void *left(void *unused)
{
    pthread_spin_lock(&one);
    x = 1;
    pthread_spin_unlock(&one);
    FENCE
    first = y;
    return 0;
}

void *right(void *unused)
{
    pthread_spin_lock(&other);
    y = 1;
    pthread_spin_unlock(&other);
    FENCE
    second = x;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&one, 0);
    pthread_spin_init(&other, 0);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first || second);
    return 0;
}
"""

COUNTED = """
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int count;

void *worker(void *unused)
{
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&lock, 0);
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(count == 2);
    pthread_spin_UNLOCK(&lock);
    return 0;
}
"""

MACHINES = [MemoryModel.TSO, MemoryModel.PSO, MemoryModel.RMO, MemoryModel.POWER]
KNOWING = [
    *((model, engine) for model in MACHINES[:2] for engine in ("explore", "impact", "bmc")),
    *((model, "bmc") for model in MACHINES[2:]),
]


def task(folder: Path, text: str, model: MemoryModel, engine: str, group: str = "reach") -> Task:
    path = folder / "program.c"
    path.write_text(text)
    return Task(
        paths=(path,),
        selection=Selection(PROPERTY_GROUPS[group]),
        memory_model=model,
        limits=Limits(seconds=None),
        engines=(engine,),
        jobs=0,
    )


@pytest.mark.parametrize(("model", "engine"), KNOWING)
def test_later_reads_overtake_what_a_lock_guarded(model: MemoryModel, engine: str, tmp_path: Path) -> None:
    asked = task(tmp_path, CROSSED.replace("FENCE", ""), model, engine)
    assert verify(asked).answer is Answer.BUG


@pytest.mark.parametrize(("model", "engine"), KNOWING)
def test_a_fence_behind_the_unlock_prevents_it(model: MemoryModel, engine: str, tmp_path: Path) -> None:
    asked = task(tmp_path, CROSSED.replace("FENCE", "__sync_synchronize();"), model, engine)
    assert verify(asked).answer is Answer.SAFE


@pytest.mark.parametrize("model", [MemoryModel.C11, MemoryModel.SC])
def test_elsewhere_threads_interleave(model: MemoryModel, tmp_path: Path) -> None:
    asked = task(tmp_path, CROSSED.replace("FENCE", ""), model, "explore")
    assert verify(asked).answer is Answer.SAFE


@pytest.mark.parametrize("model", MACHINES)
def test_a_spin_lock_still_guards(model: MemoryModel, tmp_path: Path) -> None:
    text = COUNTED.replace("UNLOCK", "destroy")
    assert verify(task(tmp_path, text, model, "bmc")).answer is Answer.SAFE


@pytest.mark.parametrize("model", MACHINES)
def test_who_does_not_hold_it_must_not_give_it_back(model: MemoryModel, tmp_path: Path) -> None:
    result = verify(task(tmp_path, COUNTED.replace("UNLOCK", "unlock"), model, "explore", "misuse"))
    assert result.answer is Answer.BUG
    assert result.traces[0].failure.rule == "unlock-not-held"


def test_the_textual_form_keeps_what_is_plain(tmp_path: Path) -> None:
    program = loaded_program(task(tmp_path, COUNTED.replace("UNLOCK", "destroy"), MemoryModel.C11, "explore"))
    text = print_program(program)
    assert " plain" in text
    assert print_program(parse_program(text)) == text
