"""Logs explained by their own dice and moves, and the differences between two saves of any module."""
