"""What is measured: pure functions from tables to values, one module a kind of measurement.

A metric is a row of the seed ``metric_catalogue`` and a rule that a module registers under the
metric's name.
"""
