"""The calls of gotenberg-client, unchanged, against Gotenberg's routes at GOTENBERG_URL."""

import os
import tempfile
from pathlib import Path

from gotenberg_client import SyncGotenbergClient

folder = Path(tempfile.mkdtemp())


def file(name: str, content: str | bytes) -> Path:
    place = folder / name
    place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return place


with SyncGotenbergClient(os.environ["GOTENBERG_URL"]) as client:
    assert client.version.get().startswith("8."), "version"
    assert client.health.health().overall.value == "up", "health"
    with client.chromium.html_to_pdf() as route:
        html = route.index(file("index.html", "<h1>Report</h1>")).run()
    assert html.content.startswith(b"%PDF"), "html"
    one, two = file("1.pdf", html.content), file("2.pdf", html.content)
    with client.chromium.markdown_to_pdf() as route:
        index = file("index.html", '<body>{{ toHTML "a.md" }}</body>')
        assert route.index(index).markdown_file(file("a.md", "# One")).run().content.startswith(b"%PDF"), "markdown"
    with client.libre_office.to_pdf() as route:
        assert route.convert(file("page.html", "<p>x")).run().content.startswith(b"%PDF"), "libreoffice"
    with client.merge.merge() as route:
        merged = route.merge([one, two]).run()
    assert merged.content.startswith(b"%PDF"), "merge"
    both = file("both.pdf", merged.content)
    with client.metadata.read() as route:
        assert "both.pdf" in route.read(both).run(), "metadata"
print("gotenberg-client: html, markdown, libreoffice, merge, metadata, health and version work.")
