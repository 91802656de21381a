"""Builds over shards on Spark, and in a store of S3; see `make test-cluster`."""
