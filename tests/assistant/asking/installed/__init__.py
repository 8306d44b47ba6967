"""Tests of assistant/asking/installed."""
