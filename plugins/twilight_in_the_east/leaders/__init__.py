"""Leaders: who commands what and until when, and what that means for combats, moves and attachment (25)."""
