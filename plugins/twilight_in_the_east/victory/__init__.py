"""Victory Points by source, and who is winning (27)."""
