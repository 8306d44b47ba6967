"""What every part needs and no wargame: errors, files, limits, markup, data files, progress."""
