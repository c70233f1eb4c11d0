"""The checker of bounded proofs, with an unrolling and a formula of its own."""
