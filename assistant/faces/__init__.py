"""The ways to use the assistant: the commands, the table prompt, the page, and the tools of a language model."""
