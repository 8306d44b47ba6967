"""Counters: faces composed from the slots of `counters.toml`, markers, tags over them, and what can be wrong with
them.
"""
