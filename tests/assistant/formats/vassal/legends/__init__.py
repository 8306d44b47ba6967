"""Tests of legends."""
