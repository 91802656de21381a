"""finrag: gold sets, retrieval runs and honest scores over SEC filings."""

__version__ = "0.1.0"
