"""An MCP server: a language model asks the assistant instead of inventing rules, and is answered as on the command
line.

`access` is what the model may read, and with whose eyes; `tools` what it may ask; `guide` what it reads before it types
a position; `server` the protocol, the only module that needs its package.
"""
