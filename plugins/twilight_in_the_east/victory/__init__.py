"""The present winner, and points that may still be won or lost (27.0, 27.1)."""
