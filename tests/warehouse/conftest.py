"""The root of the project, for tests of warehouses."""

from tests.warehouse.warehouses import ROOT

__all__ = ["ROOT"]
