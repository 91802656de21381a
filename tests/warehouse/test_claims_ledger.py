"""Printed figures of the sample corpus that do not depend on how many anchors are drawn."""

import re

import duckdb

from tests.project.test_claims import misses, of_corpus

# The shared warehouse draws fewer anchors than the one that the guide speaks of.
ON_ANCHORS = re.compile(r"'p[12]'")


def test_figures_of_the_sample_with_wordllama_are_reproduced(sample):
    claims = [row for row in of_corpus("sample_wordllama") if not ON_ANCHORS.search(row.query)]
    assert claims, "no row is about the sample with wordllama"

    with duckdb.connect(str(sample.database), read_only=True) as warehouse:
        assert misses(warehouse, claims) == []
