"""The registry of systems under test: settings read, checked, completed and hashed."""

from finrag.systems.registry import (
    SYSTEM_SCHEMA,
    read_registry,
    resolve_systems,
)

__all__ = ["SYSTEM_SCHEMA", "read_registry", "resolve_systems"]
