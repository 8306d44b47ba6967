"""Pictures: display lists and what writes them."""
