"""Counters on paper: sheets to print, fold or turn, and cut; pictures for print services."""
