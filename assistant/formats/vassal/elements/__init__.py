"""What elements of a module's file say beside its maps and pieces."""
