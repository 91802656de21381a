"""Speed and memory of each layer, beside a peer measured in the same run.

``python -m bench`` prints one table. Every figure comes from a process of its own, so that its
peak memory is its own; the two sides of a ratio alternate (A B A B), so that a busy machine slows
both. See bench/README.md for how to read the table.
"""
