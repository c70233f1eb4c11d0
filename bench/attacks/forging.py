"""Files that sley writes, and what forgers make of them."""

import gzip
import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.attacks.attack import ALWAYS, WRONG, Asset

Json = dict[str, Any]


def made(asset: Asset, assets: Path) -> bytes:
    """The content of an asset; what sley writes for it is made once."""
    key = hashlib.sha256(repr((asset.source, asset.flags, asset.suffix)).encode()).hexdigest()[:16]
    file = assets / f"{key}{asset.suffix}"
    if not file.exists():
        (assets / asset.source).write_text(ALWAYS[asset.source])
        kind = "--witness" if asset.suffix == ".yml" else "--proof"
        command = [sys.executable, "-P", "-m", "sley", "check", asset.source, *asset.flags, kind, str(file)]
        subprocess.run(command, cwd=assets, capture_output=True, check=False, timeout=600)
        if not file.exists():
            file.write_bytes(b"")
    content = file.read_bytes()
    return FORGERS[asset.forged](content, asset.seed) if asset.forged and content else content


def _of_wrong(content: bytes, _: int) -> bytes:
    """Says that it is about the wrong program."""
    name = next(name for name in WRONG if f'"{name}"'.encode() in content or name.encode() in content)
    mine, theirs = (
        hashlib.sha256(text.encode()).hexdigest().encode() for text in (ALWAYS[name], ALWAYS[WRONG[name]])
    )
    return content.replace(mine, theirs).replace(name.encode(), WRONG[name].encode())


def _forged_proof(content: bytes, seed: int) -> bytes:
    """A proof for the wrong program: with its hash, and changed in a way that the seed says."""
    proof = json.loads(_of_wrong(content, 0))
    lot = random.Random(seed)
    _WAYS[seed % len(_WAYS)](proof, lot)
    return json.dumps(proof).encode()


def _scalars(part: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Where numbers and texts of a document are."""
    stack = [part]
    while stack:
        one = stack.pop()
        pairs = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ()
        for key, value in pairs:
            if isinstance(value, dict | list):
                stack.append(value)
            else:
                found.append((one, key))
    return found


def _lists(part: Any) -> list[list[Any]]:
    stack, found = [part], []
    while stack:
        one = stack.pop()
        if isinstance(one, list) and one:
            found.append(one)
        stack += one.values() if isinstance(one, dict) else one if isinstance(one, list) else []
    return found


def _numbers(proof: Json, lot: random.Random, change: Callable[[int], object]) -> None:
    places = [(at, key) for at, key in _scalars(proof["proofs"], []) if type(at[key]) is int]
    for at, key in lot.sample(places, min(len(places), 3)):
        at[key] = change(at[key])


def _dropped(proof: Json, lot: random.Random, *, keeps: int) -> None:
    lists = [one for each in proof["proofs"] for one in _lists(each["proof"])]
    for one in lot.sample(lists, min(len(lists), 2)):
        del one[keeps:]


def _nothing(proof: Json, lot: random.Random) -> None:
    for one in proof["proofs"]:
        one["proof"] = lot.choice(({}, [], None, 0))


def _fewer(proof: Json, _: random.Random) -> None:
    for one in proof["proofs"]:
        one["properties"] = ["reach"]
    proof["asked"] = ["--property", "reach"]


def _true(proof: Json, _: random.Random) -> None:
    for at, key in _scalars(proof["proofs"], []):
        if at[key] is False:
            at[key] = True


def _swapped(proof: Json, lot: random.Random) -> None:
    for one in [one for each in proof["proofs"] for one in _lists(each["proof"])]:
        lot.shuffle(one)


def _renamed(proof: Json, lot: random.Random) -> None:
    for one in proof["proofs"]:
        one["engine"] = lot.choice(("explore", "impact", "bmc", "modular", "symmetry", "abstract"))


_WAYS: tuple[Callable[[Json, random.Random], None], ...] = (
    lambda _, __: None,
    _nothing,
    _fewer,
    _true,
    _swapped,
    _renamed,
    lambda proof, _: proof.update(proofs=[]),
    lambda proof, _: proof.update(asked=[]),
    lambda proof, _: proof["asked"].append("--malloc-may-fail"),
    lambda proof, lot: _numbers(proof, lot, lambda n: n + 1),
    lambda proof, lot: _numbers(proof, lot, lambda _: 0),
    lambda proof, lot: _numbers(proof, lot, lambda _: -(10**30)),
    lambda proof, lot: _dropped(proof, lot, keeps=0),
    lambda proof, lot: _dropped(proof, lot, keeps=1),
    lambda proof, _: proof["proofs"].extend(proof["proofs"] * 3),
)
WAYS = len(_WAYS)

FORGERS: dict[str, Callable[[bytes, int], bytes]] = {
    "racy": _of_wrong,
    "proof": _forged_proof,
    "half": lambda content, _: content[: len(content) // 2],
    "zeros": lambda content, seed: content[:seed] + b"\0" * 8 + content[seed:],
    "packed twice": lambda content, _: gzip.compress(content),
}
