"""Display lists, and the writers that turn them into SVG, PDF and PNG."""
