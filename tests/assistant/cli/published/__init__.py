"""Tests of commands on published modules."""
