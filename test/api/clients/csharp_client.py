"""A client as it is in the field: what the C# SDK sends, byte for byte where it matters.

Strings are sent as .NET's Encoding.Unicode gives them (UTF-16 without a byte order mark), names in dispositions stand
without quotes, JSON parts come with their content type, options of bytes come as base64, and a form without fields is
two boundaries around nothing. Run by csharp-client.test.ts with the address, the token and a directory for what comes
back. Prints one JSON object a line: the name of a step and what was seen.
"""

import base64
import io
import json
import sys
import zipfile

import requests

BASE, TOKEN, OUT = sys.argv[1:4]
BOUNDARY = "5d1a6f0e-9a3b-4c8f-8d8e-2f8f4f3b1c77"
HTML = "<!doctype html><title>Rechnung</title><h1>Grüße {{ name }} 一二</h1><p style='break-before:page'>two {{ amount }}</p>"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63f8cfc0f01f00050001ff89993d1d0000000049454e44ae426082"
)


def say(step, **seen):
    print(json.dumps({"step": step, **seen}), flush=True)


def unicode(text):
    return text.encode("utf-16-le")


def as_json(value):
    return ("json", json.dumps(value).encode())


def as_text(value):
    return ("text", value.encode())


def body_of(parts):
    """A MultipartFormDataContent: a file is (name, bytes), other parts are those of as_json and as_text."""
    if not parts:
        return f"--{BOUNDARY}\r\n\r\n--{BOUNDARY}--\r\n".encode()
    body = b""
    for name, (kind, content) in parts.items():
        body += (b"\r\n" if body else b"") + f"--{BOUNDARY}\r\n".encode()
        if kind in ("json", "text"):
            media = "application/json" if kind == "json" else "text/plain"
            body += f"Content-Type: {media}; charset=utf-8\r\nContent-Disposition: form-data; name={name}".encode()
        else:
            body += f"Content-Disposition: form-data; name={name}; filename={kind}; filename*=utf-8''{kind}".encode()
        body += b"\r\n\r\n" + content
    return body + f"\r\n--{BOUNDARY}--\r\n".encode()


def post(path, parts, expect=200, **headers):
    sent = {"Authorization": TOKEN, "Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"', **headers}
    response = requests.post(BASE + path, headers=sent, data=body_of(parts), timeout=120)
    if response.status_code != expect:
        raise SystemExit(f"POST {path}: {response.status_code} {response.text}")
    return response


def save(name, response):
    with open(f"{OUT}/{name}", "wb") as file:
        file.write(response.content)
    return response.headers.get("Warning")


# A template, its header and its stylesheet as strings, and the option for page 1 in its data.
data = {"name": "Rechnung", "format": "html", "description": "fastpdf-csharp Template", "disable_header_footer_first_page": True}
template = post(
    "/template",
    {
        "file_data": ("file.html", unicode(HTML)),
        "header_data": ("header.html", unicode("<span>Kopf {{ name }}</span>")),
        "template_data": as_json(data),
    },
).json()
ID = template["id"]
say("template", **template)
css = post(f"/template/css/{ID}", {"file_data": ("file.css", unicode("h1::after { content: ' mit Stil' }")), "template_data": as_json({"format": "css"})})
say("css", type=css.json()["format"])
downloaded = requests.get(f"{BASE}/template/file/{ID}", headers={"Authorization": TOKEN}, timeout=60)
say("file", same=downloaded.content == unicode(HTML))
image = post(f"/template/img/{ID}", {"file_data": ("a.png", PNG), "template_data": as_json({"format": "png", "uri": "logo"})}).json()

# Renderings: stored, with a header of the call as base64, and sent along.
record = {"name": "Ada", "amount": 1.5}
say("stored", warning=save("stored.pdf", post(f"/render/pdf/{ID}", {"render_data": as_json(record)})))
options = {"header_file": base64.b64encode(unicode("<span>Eigener Kopf</span>")).decode(), "background": True, "disable_header_footer_first_page": False}
say("header", warning=save("header.pdf", post(f"/render/pdf/{ID}", {"render_data": as_json(record), "render_options": as_json(options)})))
sent = {
    "file_data": ("file.html", unicode("<p>{{ name }}: {{ amount }}</p>")),
    "render_data": as_json(None),
    "template_data": as_json({"name": "fastpdf-csharp document", "format": "html", "title_header_enabled": False}),
}
sent["render_data"] = as_json({"name": "Jetzt", "amount": float("nan")})
say("now", warning=save("now.html", post("/render/html", sent)))
sent["render_data"] = ("people.csv", unicode("name,amount\r\n山田太郎,1\r\nBob,2\r\n"))
batch = post("/render/html/batch", sent)
archive = zipfile.ZipFile(io.BytesIO(batch.content))
say("batch", texts=[archive.read(name).decode() for name in archive.namelist()], warning=batch.headers.get("Warning"))

# An image by its id: a form without fields. Encryption, with the password where clients put it.
pdf = post(f"/img/{image['id']}", {})
say("image", type=pdf.headers["Content-Type"], warning=pdf.headers.get("Warning"))
for name in ("encrypt_password", "password"):
    encrypted = post("/pdf/encrypt", {"file": ("file.pdf", pdf.content), "options": as_text(json.dumps({name: "geheim"}))})
    say(f"encrypt {name}", warning=save(f"{name}.pdf", encrypted))
say("done")
