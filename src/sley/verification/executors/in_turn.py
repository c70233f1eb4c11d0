"""In this process: one engine after another, in turns that become longer."""

import time
from collections.abc import Generator

from sley.base.budget import Budget
from sley.verification.answers import Answered
from sley.verification.attempt import Attempt
from sley.verification.executors.poll import Poll
from sley.verification.observer import Observer
from sley.verification.result import may_go_on
from sley.verification.single_properties import SingleProperties
from sley.verification.thresholds import FIRST_TURN, LONGER


def in_turn(poll: Poll, budget: Budget, observer: Observer) -> Generator[Answered, None, None]:
    """All properties together, then every one by itself, for about as long as that took."""
    together = poll.time_together(budget)
    is_alone = len(poll.attempts) == 1
    started, seconds = time.monotonic(), FIRST_TURN
    remaining = list(poll.attempts)
    while remaining and together.remaining() != 0:
        for attempt in remaining:
            if not poll.is_pointless(attempt):
                share = together if is_alone else together.share(1.0, seconds)
                yield _answered(poll, poll.ready(attempt), share, observer)
        remaining = [one for one in remaining if not is_alone and _may_go_on(poll, one)]
        seconds *= LONGER
    took = (time.monotonic() - started) / len(poll.attempts)
    further = [poll.goes_on(one, took) for one in poll.attempts if not poll.is_pointless(one)]
    single = [one for one in further if one is not None]
    for number, one in enumerate(single):
        yield _answered(poll, one, budget.share(1 / (len(single) - number), None), observer)


def _may_go_on(poll: Poll, attempt: Attempt) -> bool:
    answered = poll.said.get(attempt.name)
    return answered is not None and may_go_on(answered.outcome)


def _answered(poll: Poll, asked: Attempt | SingleProperties, share: Budget, observer: Observer) -> Answered:
    try:
        return asked.answered(share, observer)
    except Exception as error:  # noqa: BLE001 - what is no crash is raised again there
        unknown = poll.crash(asked.name, error)
        return asked.before if isinstance(asked, SingleProperties) else Answered(unknown, asked.name)
