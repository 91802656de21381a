"""Alerts: what changed among the gates since the record before, told once."""

from finrag.publishing.alerts.changes import Alerted, write_alerts

__all__ = ["Alerted", "write_alerts"]
