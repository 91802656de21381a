"""Asks your own system, scores it by a build and prints the outcome: ``eval`` and ``diff``."""
