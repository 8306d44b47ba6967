"""What units do with Movement Points (8, 9, 13)."""
