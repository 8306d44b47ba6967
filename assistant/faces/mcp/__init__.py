"""A server of the Model Context Protocol (MCP), so that a language model asks for rulings instead of inventing them.

`access` has the positions that the model may read, `tools` its questions, and `guide` the pages about typing a
position. `server` is the protocol, the only module that needs its package.
"""
