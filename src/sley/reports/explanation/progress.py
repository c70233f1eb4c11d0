"""Threads that repeat a loop for ever."""

from sley.evidence.remarks import Escape, Mark, Repeats
from sley.program.c_text import names_in
from sley.reports.explanation.atomicity import lost_update
from sley.reports.explanation.deadlocks import waits
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import TraceRun
from sley.wording.events import escape_text
from sley.wording.phrases import enumeration


def no_progress(run: TraceRun) -> Explanation:
    """The threads that repeat a loop, and what the others wait for."""
    spinning = [i for i in run.failing if run.events[i].note is Mark.RUNS_FOR_EVER]
    names = enumeration([run.name(run.events[i].thread) for i in spinning])
    loop = "loop" if len(spinning) == 1 else "loops"
    found = [said for i in run.failing if i not in spinning and (said := waits(run, i)) is not None]
    looked_at = [name for i in spinning for name in names_in(run.events[i].origin.text)]
    lost = lost_update(TraceRun(run.trace, run.rows, looked_at))
    escapes = (fact.escape for fact in run.trace.facts if isinstance(fact, Repeats))
    what = escape_text(next(escapes, Escape.NOTHING)).capitalize()
    why = [
        f"{what} can end the {loop} of {names}: all other threads have ended or wait.",
        *(text for text, _ in found),
        *lost.why,
    ]
    run.cited |= lost.decisive
    return run.said([" ".join(why)], [*(fix for _, fix in found if fix), *lost.fix][:1])
