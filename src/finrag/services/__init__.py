"""Clients of the user's own systems that answer over HTTP.

`ask_services` asks systems of the kind ``external_http`` and gives the columns that
`finrag.sources.predictions.read_predictions` gives for files.
"""

from finrag.services.service import ask_services, check_address

__all__ = ["ask_services", "check_address"]
