"""Tests of assistant/installed."""
