"""Helpers that know nothing of wargames: errors, files, limits, markup, data files, progress."""
