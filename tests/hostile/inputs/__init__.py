"""What a stranger may hand over: sound files, what spoils them, words of his own, bombs, and the cases of a run."""
