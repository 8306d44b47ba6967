"""Records of play: journals, explained logs, the story of a game and its luck, mails, and files for other programs."""
