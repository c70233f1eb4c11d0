"""From C, or from the textual form, to a program: the only part that knows C."""
