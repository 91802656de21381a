"""Alerts: what changed among the gates since the record before, told once."""

from finrag.alerts.changes import Alerted, write_alerts

__all__ = ["Alerted", "write_alerts"]
