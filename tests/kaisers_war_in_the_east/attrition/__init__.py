"""Supply attrition at work."""
