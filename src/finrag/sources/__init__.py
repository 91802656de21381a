"""Readers of what a person points the warehouse at: corpora, suites, predictions, benchmarks."""
