"""An MCP server, by which a language model asks the assistant instead of inventing rules.

`access` has the positions that the model may read, `tools` its questions, and `guide` the pages about typing a
position. `server` is the protocol, the only module that needs its package.
"""
