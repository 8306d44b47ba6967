"""Victory Points for what is lost and taken, and the level of victory."""
