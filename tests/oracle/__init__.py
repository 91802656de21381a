"""Oracles: what a judge must say of written cases, pinned by kind."""
