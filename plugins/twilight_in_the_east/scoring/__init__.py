"""Victory Points: their sources and costs, and the holders of starred towns (27.2)."""
