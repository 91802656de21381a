"""What gates are checked with: limits, what was measured for them, rules that excuse them."""
