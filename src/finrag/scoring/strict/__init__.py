"""Scores that a finance reader would call right, beside the official ones."""
