"""Tests of saves of modules that others made."""
