"""VASSAL modules: pieces, boards, set-ups and the file that puts them together."""
