"""The table page: one request, one response, whether the program runs in the reader's browser or on a laptop.

`messages` has the requests and responses, `desk` a table and its display, and `respond` the answers to the requests.
`shell/` is the page itself, the same for both hosts, and `server/` answers it over HTTP.
"""

from collections.abc import Mapping

from ...util.files import files_below, package_folder, read_own

_TYPEFACE = "fonts/condensed.ttf"
"""The path of the typeface of headings and figures, which `styles/page.css` names."""


def shell_files() -> Mapping[str, bytes]:
    """Return the content of the page's files by their paths: the files of `shell/`, and its typeface."""
    shell = files_below(package_folder(__name__).joinpath("shell"))
    typeface = package_folder("field_staff_images").joinpath("fonts", "Condensed-Page.ttf")
    return {**{path: read_own(file) for path, file in shell}, _TYPEFACE: read_own(typeface)}
