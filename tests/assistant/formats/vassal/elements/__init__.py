"""Tests of what a module's file says beside maps and pieces."""
