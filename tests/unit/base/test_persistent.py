"""Persistent sequences and tables against plain lists and dicts."""

import pickle
import random

import pytest

from sley.base.persistent import (
    FEW,
    Items,
    PersistentTable,
    Vector,
    differences,
    extended,
    items,
    repeated,
    replaced,
)


@pytest.mark.parametrize("seed", range(20))
def test_a_sequence_is_like_a_list(seed: int) -> None:
    rng = random.Random(seed)
    plain = list(range(rng.choice((0, 1, 31, FEW - 1, FEW, FEW + 1, 1_023, 1_024, 1_025, 40_000))))
    made: Items[int] = items(plain)
    older: list[tuple[list[int], Items[int]]] = []
    for _ in range(60):
        older.append((plain.copy(), made))
        if plain and rng.random() < 0.6:
            index, value = rng.randrange(len(plain)), rng.randrange(5)
            plain[index] = value
            made = replaced(made, index, value)
        else:
            plain.append(len(plain) + 1_000)
            made = extended(made, plain[-1])
        assert len(made) == len(plain)
        assert list(made) == plain
        assert isinstance(made, tuple) == (len(plain) <= FEW)
    again = items(plain)
    assert (made, hash(made)) == (again, hash(again))
    for then, one in older:
        assert list(one) == then
        changed = {at for at, (a, b) in enumerate(zip(then, plain, strict=False)) if a != b}
        changed |= set(range(len(then), len(plain)))
        found = {at for at, a, b in differences(one, made) if a != b}
        assert found == changed


@pytest.mark.parametrize("seed", range(20))
def test_a_table_is_like_a_dict(seed: int) -> None:
    rng = random.Random(seed)
    numbers = [rng.choice((0, 0x5A17, 1 << 31)) + rng.randrange(3_000) for _ in range(40)]
    plain: dict[int, str] = {}
    made: PersistentTable[str] = PersistentTable()
    for _ in range(200):
        number, before, then = rng.choice(numbers), made, plain.copy()
        if rng.random() < 0.5:
            plain[number] = rng.choice("abc")
            made = made.replaced(number, plain[number])
        else:
            plain.pop(number, None)
            made = made.replaced(number, None)
        assert dict(before) == then
        assert list(made.items()) == sorted(plain.items())
        assert (len(made), number in made, made.get(number)) == (
            len(plain),
            number in plain,
            plain.get(number),
        )
        expected = [(number, then.get(number), plain.get(number))]
        assert list(before.differences(made)) == [one for one in expected if one[1] is not one[2]]
    again = PersistentTable(plain.items())
    assert (made, hash(made)) == (again, hash(again))
    with pytest.raises(KeyError):
        made[7]


def test_what_is_not_changed_is_shared() -> None:
    old = Vector.of(range(1_000, 40_000))
    new = old.replaced(20_000, -1)
    shared = sum(a is b for a, b in zip(old.leaves(), new.leaves(), strict=True))
    assert shared == len(list(old.leaves())) - 1
    assert list(old.differences(new)) == [(20_000, 21_000, -1)]


def test_permutations_have_different_hashes() -> None:
    hashes = set()
    for seed in range(300):
        values = list(range(100))
        random.Random(seed).shuffle(values)
        hashes.add(hash(items(values)))
    assert len(hashes) == 300


def test_copies_in_other_processes_are_equal() -> None:
    vector, table = repeated("a", 5_000), PersistentTable([(3, "b"), (1 << 31, "c")])
    assert pickle.loads(pickle.dumps((vector, table))) == (vector, table)
