"""Saves and logs of modules neither made by the builder nor adopted, shown without a game."""
