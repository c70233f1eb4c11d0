"""Second stage: events composed under one order, as a formula."""
