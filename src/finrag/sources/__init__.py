"""Readers of the user's files: corpora, suites, predictions, benchmarks."""
