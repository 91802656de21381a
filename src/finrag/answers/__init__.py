"""Answerers: from a question and its context to an answer with citations."""
