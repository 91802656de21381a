"""The command line: `finrag`, and its check before a build."""
