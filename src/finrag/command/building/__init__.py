"""A build: what has changed is built, the rest is left as it stands."""
