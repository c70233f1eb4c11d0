"""Engine ``impact``, with the checker of its proofs."""

from sley.engines.impact.engine import impact
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.reachability_tree.runs import TreeFollower
from sley.verification.engine import Engine

ENGINE = Engine(impact, check_reachability_tree, TreeFollower, kind=ReachabilityTree)
