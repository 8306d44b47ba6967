"""Writing the changes of an answer into a save, or into a continued log."""
