"""Logs explained from their own dice and moves, and the differences of two saves of any module."""
