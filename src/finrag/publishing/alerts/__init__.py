"""Alerts: gates that changed since the previous record, each reported once."""

from finrag.publishing.alerts.changes import Alerted, write_alerts

__all__ = ["Alerted", "write_alerts"]
