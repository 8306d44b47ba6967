"""Replacements in the Inter-Phase (15)."""
