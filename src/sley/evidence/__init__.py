"""What a verdict rests on: traces, proofs, and their checkers, which import no engine."""
