"""Memory models as texts in the language cat, and what it takes to ask an execution for them."""
