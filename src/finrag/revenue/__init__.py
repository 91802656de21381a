"""Revenue lines: what a company sells, how much of each, and in which of its own words."""
