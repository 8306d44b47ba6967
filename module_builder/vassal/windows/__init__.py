"""The windows of a module: map, drawn sheets, charts, and the keys that open them."""
