"""Intervals of means, and tests of paired differences."""
