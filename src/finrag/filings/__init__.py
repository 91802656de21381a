"""Reading a filing as filed: its documents, blocks, tables, items and tagged facts."""
