"""What engines and checkers both trust: each module has a theorem, its argument, and when it applies."""
