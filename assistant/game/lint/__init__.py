"""Every mistake in the files of a game at once, a line each: what cannot be read, unknown names, impossible values."""
