"""Labels of sentences: KPI and risk mentions, definitions, lists, periods, attributions."""
