"""The Supply Phase of a side: what is reset, checked, marked, rolled for and lost, in order (5.4.4, 14.4, 14.6)."""
