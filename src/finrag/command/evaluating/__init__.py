"""Your own system asked, scored by a build and told on one screen: ``eval`` and ``diff``."""
