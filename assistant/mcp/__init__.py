"""An MCP server: a language model asks the assistant instead of inventing rules, and is told what the command line would tell.

`access` has what the model may read, and with whose eyes; `tools` what it may ask and what it is answered; `guide` what it
reads before it types a position; `server` answers by the protocol, and is the only module that needs its package.
"""
