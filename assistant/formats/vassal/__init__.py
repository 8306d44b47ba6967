"""VASSAL's files: saves, logs and modules, read and written exactly, and saves read as positions."""
