"""What a question says: companies, years, topics, sections, scope and form of the answer."""

from finrag.questions.reading import READING_SCHEMA, read_questions

__all__ = ["READING_SCHEMA", "read_questions"]
