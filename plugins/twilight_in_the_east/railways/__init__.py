"""RR lines for supply and movement (17.1, 17.4, 17.5.3)."""
