"""A command for tests: prints its arguments, and fails if it is told to."""

import sys

print(*(word for word in sys.argv[1:] if word != "--fail"))
raise SystemExit("--fail" in sys.argv)
