"""Ranked lists as arrays: what is asked, what they hold, where it stands, what their scores say."""
