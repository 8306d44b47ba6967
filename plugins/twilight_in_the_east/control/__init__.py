"""Who controls a hex, and the Front Line (4.3)."""
