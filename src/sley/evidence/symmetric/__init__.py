"""Boolean broadcast programs, what they can reach, and the proofs that rest on them."""
