"""The question `battle`."""
