"""A build: what has changed is built, the rest is left unchanged."""
