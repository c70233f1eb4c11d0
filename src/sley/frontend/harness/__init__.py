"""A ``main`` for a library that has none: threads that call its functions, written in C."""
