"""Victory Points for losses and captures, and the level of victory."""
