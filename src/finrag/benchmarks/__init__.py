"""Rankings of the passages of public benchmarks."""
