"""A file of answers to a public set, scored without a warehouse."""
