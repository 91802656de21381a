"""Asks your own system, scores it and prints the outcome: ``eval`` and ``diff``."""
