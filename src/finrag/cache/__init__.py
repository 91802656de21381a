"""Results of costly steps, kept by what they were computed from."""
