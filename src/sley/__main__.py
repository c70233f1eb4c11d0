"""``python -m sley``."""

from sley.cli.main import main

main()
