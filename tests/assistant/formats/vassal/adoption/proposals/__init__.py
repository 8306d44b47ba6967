"""Tests of what is proposed for a published module."""
