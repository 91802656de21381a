"""Claims of an answer, each traced to the sentences that the answer cites."""

from finrag.scoring.claims.tracing import CLAIM_SCHEMA, Evidence, trace_answer, trace_answers

__all__ = ["CLAIM_SCHEMA", "Evidence", "trace_answer", "trace_answers"]
