"""First stage: threads unrolled to events, what each does by itself summarised."""
