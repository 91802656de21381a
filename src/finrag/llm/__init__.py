"""Calls to language models: cached by content, counted, resumable, replayable offline."""
