"""Who is winning, and what stands to be won or lost next (27.0, 27.1)."""
