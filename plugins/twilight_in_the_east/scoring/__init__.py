"""Victory Points as they are scored: what earns and costs them, and who holds the starred towns (27.2)."""
