"""The registry of systems under test: settings read, checked, completed and hashed."""

from finrag.systems.registry import read_registry, resolve_systems, system_schema

__all__ = ["read_registry", "resolve_systems", "system_schema"]
