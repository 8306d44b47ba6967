"""Counters: faces composed from the slots of `counters.toml`, markers, tags, and checks of all these."""
