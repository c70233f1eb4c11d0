"""Values, variables, terms and places in the user's words."""
