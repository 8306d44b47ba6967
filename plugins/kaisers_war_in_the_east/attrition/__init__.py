"""Supply attrition: who checks, and what it costs."""
