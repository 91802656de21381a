"""What the public evaluators compute, quirks included: results here stand beside a paper's."""
