"""The default beside every single engine: is it as good as the best of them?

    python -m bench.portfolio.compare RESULTS.jsonl

reads what `sley bench` wrote for the configurations `default` and one for each engine, on the same tasks, and
prints who decides how many, what the default misses, where it differs, and where it takes more than 2.5 times
the wall time of the best engine plus 0.3 s. Ends with 1 if answers contradict each other.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

FACTOR, SLACK = 2.5, 0.3
DEFAULT = "default"

Runs = dict[str, dict[str, Any]]
"""By configuration."""


def read(path: Path) -> dict[str, Runs]:
    """The runs by task."""
    tasks: dict[str, Runs] = defaultdict(dict)
    for line in path.read_text().splitlines():
        run = json.loads(line).get("outcome")
        if run is not None:
            tasks[f"{run['task']} {run['property']}"][run["verifier"]] = run
    return tasks


def verdict(run: dict[str, Any]) -> str | None:
    word = run["answer"].split("(")[0]
    return word if word in ("true", "false") else None


def main() -> int:
    tasks = read(Path(sys.argv[1]))
    names = list(dict.fromkeys(name for runs in tasks.values() for name in runs))
    for name in names:
        decided = [runs[name] for runs in tasks.values() if name in runs and verdict(runs[name])]
        seconds = sum(runs[name]["wall_seconds"] for runs in tasks.values() if name in runs)
        print(f"{name:10} decides {len(decided):4} of {len(tasks)}, {seconds:.0f} s wall")
    contradictions, missed, slow, compared = [], [], [], 0
    for task, runs in tasks.items():
        answers = {name: verdict(run) for name, run in runs.items() if verdict(run)}
        if len(set(answers.values())) > 1:
            contradictions.append(f"{task}: {answers}")
        engines = [runs[name]["wall_seconds"] for name in answers if name != DEFAULT]
        if not engines or DEFAULT not in runs:
            continue
        if DEFAULT not in answers:
            missed.append(f"{task}: an engine takes {min(engines):.1f} s; {runs[DEFAULT]['reason']}")
            continue
        compared += 1
        took = runs[DEFAULT]["wall_seconds"]
        if took > FACTOR * min(engines) + SLACK:
            slow.append(f"{task}: {took:.1f} s, best engine {min(engines):.1f} s")
    for title, rows in (
        ("contradictions", contradictions),
        ("decided by an engine, not by default", missed),
        (f"over {FACTOR} x the best engine + {SLACK} s, of {compared}", slow),
    ):
        print(f"\n{title}: {len(rows)}", *rows, sep="\n  ")
    return int(bool(contradictions))


if __name__ == "__main__":
    sys.exit(main())
