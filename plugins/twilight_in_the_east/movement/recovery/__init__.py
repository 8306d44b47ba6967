"""Recovery of Combat Effectiveness Levels (7.4.2, 8.6)."""
