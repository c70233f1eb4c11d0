"""Engine ``explore``, with the checkers of closed sets of states."""

from sley.engines.explore.engine import explore, explore_weak
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.closed_states.runs import ClosedStatesFollower
from sley.evidence.closed_states.weak import check_closed_histories
from sley.program.properties import ALL_PROPERTIES, ON_REQUEST
from sley.verification.engine import Engine

ENGINE = Engine(
    explore,
    check_closed_states,
    ClosedStatesFollower,
    checks_on_all_cores=True,
    decides=ALL_PROPERTIES | ON_REQUEST,
    kind=ClosedStates,
)

FOR_WEAK = Engine(
    explore_weak,
    check_closed_histories,
    ClosedStatesFollower,
    checks_on_all_cores=True,
    kind=ClosedStates,
)
