"""Records of play: journals, logs explained, the story of a game and its luck, mails, and the answers of other
programs.
"""
