"""What a text says: sentences, numbers, names, measures, wording, refusals."""
