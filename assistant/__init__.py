"""Field Staff's assistant: reads a game's state and answers rules questions about it, showing its working."""
