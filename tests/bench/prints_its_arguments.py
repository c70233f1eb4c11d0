"""A command for tests: prints its arguments, and fails if it is told to."""

import sys

sys.stdout.write(" ".join(word for word in sys.argv[1:] if word != "--fail") + "\n")
raise SystemExit("--fail" in sys.argv)
