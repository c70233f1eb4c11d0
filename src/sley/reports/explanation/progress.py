"""Threads that go round for ever."""

import re

from sley.reports.explanation.atomicity import lost_update
from sley.reports.explanation.deadlocks import waits
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import Run, enumeration


def no_progress(run: Run) -> Explanation:
    """Who repeats its loop, and what the others wait for, if it has that."""
    spinning = [i for i in run.failing if "wait" not in run.events[i].note]
    names = enumeration([run.name(run.events[i].thread) for i in spinning])
    loop = "loop" if len(spinning) == 1 else "loops"
    found = [said for i in run.failing if i not in spinning and (said := waits(run, i)) is not None]
    looked_at = [name for i in spinning for name in re.findall(r"[A-Za-z_]\w*", run.events[i].origin.text)]
    lost = lost_update(Run(run.trace, run.rows, looked_at))
    why = [
        f"{_what_ends_it(run).capitalize()} can end the {loop} of {names}: "
        "all other threads have ended or wait.",
        *(text for text, _ in found),
        *lost.why,
    ]
    run.cited |= lost.decisive
    return run.said([" ".join(why)], [*(fix for _, fix in found if fix), *lost.fix][:1])


def _what_ends_it(run: Run) -> str:
    """As the facts of the trace say: nothing, or nothing that anybody can count on."""
    found = (re.search(r", and (nothing.*) can end that$", fact) for fact in run.trace.facts)
    return next((match[1] for match in found if match), "nothing")
