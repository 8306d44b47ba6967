"""Tests of assistant/plugins."""
