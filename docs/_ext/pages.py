"""Pages as they read on a screen: tables without heads as lists, pictures that can be enlarged."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx


def mark_tables(app: Sphinx, doctree: nodes.document) -> None:
    """Mark each table whose head is empty, as Markdown has it where there is nothing to say above a column."""
    for table in doctree.findall(nodes.table):
        if not any(head.astext().strip() for head in table.findall(nodes.thead)):
            table["classes"].append("headless")


def enlarge(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make each picture of a page a link to itself, whole."""
    for image in [*doctree.findall(nodes.image)]:
        if isinstance(image.parent, nodes.reference) or image["uri"] not in app.env.images:
            continue
        name = app.env.images[image["uri"]][1]
        up = app.builder.get_relative_uri(docname, "index").rpartition("/")[0]
        link = nodes.reference("", "", refuri=f"{up}/{app.builder.imagedir}/{name}".lstrip("/"), classes=["enlarged"])
        image.replace_self(link)
        link += image


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of both."""
    app.connect("doctree-read", mark_tables)
    app.connect("doctree-resolved", enlarge)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
