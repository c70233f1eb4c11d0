"""What every layer may use: errors, source positions, budgets."""
