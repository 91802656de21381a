"""Programs of FinQA, ConvFinQA and MultiHiertt: run, traced to evidence, audited."""

from finrag.scoring.programs.warehouse import audit_programs, trace_programs

__all__ = ["audit_programs", "trace_programs"]
