"""Abstract states: what is known of one thread at a place of the program, whatever the others do."""
