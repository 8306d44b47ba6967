"""What people meet: the commands, the table prompt, the page, and what a language model may ask."""
