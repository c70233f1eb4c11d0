"""What several engines share about searching."""
