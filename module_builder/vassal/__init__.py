"""VASSAL modules: pieces, boards, set-ups and the build file."""
