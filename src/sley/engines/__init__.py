"""One folder per algorithm, strangers to each other, named like ``--engine``."""
