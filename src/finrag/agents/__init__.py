"""Agents: systems that decide themselves what to look up next, by calling tools.

A session puts one question to a policy. Each of the policy's calls is a step, and the passages that
the steps showed are the ranking of the question. Nothing here sees gold.
"""

from finrag.agents.running import run_agents

__all__ = ["run_agents"]
