"""Scores of an answer against its gold: wording, numbers, claims."""
