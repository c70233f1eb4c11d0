"""What the contract of the library says, as programs."""
