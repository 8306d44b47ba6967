"""Movement by land, rail and sea (11, 13.4, 13.5, 18, 21.4, 21.6)."""
