"""The table page: one request, one response, whether the program runs in the reader's browser or on a laptop.

`messages` has the requests and responses, `desk` a table and its display, and `respond` the answers to the requests.
`shell/` is the page itself, the same for both hosts, and `server/` answers it over HTTP.
"""

from collections.abc import Mapping

from ...util.files import files_below, package_folder, read_own


def shell_files() -> Mapping[str, bytes]:
    """Return the content of the files of the shell by their paths in `shell/`."""
    return {path: read_own(file) for path, file in files_below(package_folder(__name__).joinpath("shell"))}
