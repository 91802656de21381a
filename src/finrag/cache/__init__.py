"""Results of costly steps by what they were computed from, and what a build runs on."""
