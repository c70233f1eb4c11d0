"""``python -m tests.fuzz.judge --count 1000``: random C programs, judged by compilers with sanitizers.

Exit 1 if there is any difference; ``--keep`` names a folder for the programs that differ.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz.judge.campaign import Campaign


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(prog="judge")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each answer")
    parser.add_argument("--every", type=int, default=5, help="ask every engine about every N-th program")
    parser.add_argument("--keep", type=Path, help="keep the programs that differ in this folder")
    parser.add_argument("--minimise", action="store_true", help="leave out what does not matter in them")
    parser.add_argument("--only", default="", metavar="CORNER", help="only programs with this corner")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        campaign = Campaign(
            folder=Path(temporary),
            seconds=arguments.seconds,
            every=arguments.every,
            keep=arguments.keep,
            minimise=arguments.minimise,
            only=arguments.only,
        )
        campaign.run(arguments.seed, arguments.count)
    return 1 if campaign.differing else 0


if __name__ == "__main__":
    sys.exit(main())
