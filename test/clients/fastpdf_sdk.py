"""The calls of the Python SDK of FastPDF (PyPI, unchanged), against the service at PLATEN_ORIGIN, without /v1."""

import os
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from fastpdf import PDFClient
from fastpdf.models import ImageFile, RenderOptions, StyleFile, Template

folder = Path(tempfile.mkdtemp())
html, css, svg = folder / "a.html", folder / "a.css", folder / "a.svg"
html.write_text("<h1>Dear {{ name }}</h1><img src='{{ logo }}'>")
css.write_text("h1 { color: red }")
svg.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>')


def is_pdf(content: bytes) -> bool:
    return content.startswith(b"%PDF")


client = PDFClient(os.environ["PLATEN_TOKEN"], base_url=os.environ["PLATEN_ORIGIN"])
assert client.validate_token(), "validate_token"
template = client.add_template(str(html), Template(name="Letter", format="html"))
id = template["id"]
client.add_stylesheet(id, str(css), StyleFile(format="css"))
client.add_image(id, str(svg), ImageFile(format="svg", uri="logo"))
assert id in [each["id"] for each in client.get_all_templates()], "get_all_templates"
pdf = client.render_template(id, {"name": "Ada"})
assert is_pdf(pdf), "render_template"
assert is_pdf(client.render(str(html), render_data={"name": "Ada"}, render_options=RenderOptions(paper_format="A5"))), "render"
many = zipfile.ZipFile(BytesIO(client.render_template_many(id, [{"name": "Ada"}, {"name": "Grace"}])))
assert len(many.namelist()) == 2, "render_template_many"
both = client.merge([pdf, pdf, pdf])
assert is_pdf(client.split(both, [1, 2])), "split"
assert len(zipfile.ZipFile(BytesIO(client.split_zip(both, [[1], [2, 3]]))).namelist()) == 2, "split_zip"
assert is_pdf(client.edit_metadata(pdf, {"Title": "T"})), "edit_metadata"
assert is_pdf(client.compress(both)), "compress"
assert is_pdf(client.encrypt(pdf, "secret")), "encrypt"
assert client.to_image(pdf, "png"), "to_image"
assert is_pdf(client.render_barcode("5901234123457", "ean13")), "render_barcode"
assert is_pdf(client.render_image(str(svg))), "render_image"
assert client.delete_template(id), "delete_template"
print("fastpdf: the calls of the Python SDK work.")
