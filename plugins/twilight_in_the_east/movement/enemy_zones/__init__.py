"""Movement in enemy zones of control (4.1.4, 9.3, 13.2)."""
