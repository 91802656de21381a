"""What `finrag init` writes: a folder of one's own, and jobs for continuous integration."""
