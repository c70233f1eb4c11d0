"""Random small concurrent programs, and what must hold for each of them."""
