"""Display lists and what turns them into SVG, PDF and PNG."""
