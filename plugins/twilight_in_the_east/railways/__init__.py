"""RR lines as supply and movement find them (17.1, 17.4, 17.5.3)."""
