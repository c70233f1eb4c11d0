"""What engines build, for people to look at: events, trees, Boolean programs."""
