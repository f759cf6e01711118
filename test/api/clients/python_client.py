"""A client as it is in the field: what the Python SDK sends, byte for byte where it matters.

Run by python-client.test.ts with the address, the token and a directory for what comes back. Prints one JSON object a
line: the name of a step and what was seen.
"""

import io
import json
import sys
import zipfile

import requests

BASE, TOKEN, OUT = sys.argv[1:4]
HEADERS = {"Authorization": TOKEN}
HTML = "<h1>Hello {{ name }}</h1><p>{{ amount }}</p><img src='{{ logo }}' width=40>"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63f8cfc0f01f00050001ff89993d1d0000000049454e44ae426082"
)


def say(step, **seen):
    print(json.dumps({"step": step, **seen}), flush=True)


def call(method, path, expect=200, **kwargs):
    response = requests.request(method, BASE + path, headers=HEADERS, timeout=120, **kwargs)
    if response.status_code != expect:
        raise SystemExit(f"{method} {path}: {response.status_code} {response.text}")
    return response


def save(name, response):
    with open(f"{OUT}/{name}", "wb") as file:
        file.write(response.content)


# The token, and a template whose file is given as bytes: filename="" with a guessed content type.
say("token", **call("GET", "/token").json())
template = call(
    "POST",
    "/template",
    files={"file_data": ("", HTML.encode(), "text/html"), "header_data": ("", b"Head of {{ name }}", "text/plain")},
    data={
        "template_data": json.dumps(
            {
                "id": "ignored",
                "number": 3,
                "timestamp": "ignored",
                "template_name": "ignored",
                "template_id": "ignored",
                "name": "Letter",
                "format": "html",
                "margin_left": 1.5,
                "description": None,
                "page_range": "",
            }
        )
    },
).json()
say("template", **template)
ID = template["id"]
say("list", ids=[entry["id"] for entry in call("GET", "/template", params={"limit": 5}).json()])
say("get", same=call("GET", f"/template/{ID}").json() == template)
say("file", same=call("GET", f"/template/file/{ID}").text == HTML)

# Style and image files, added, fetched and deleted.
css = call(
    "POST",
    f"/template/css/{ID}",
    files={"file_data": ("", b"h1 { color: #c00 }", "text/css"), "template_data": (None, '{"format": "css"}')},
).json()
image = call(
    "POST",
    f"/template/img/{ID}",
    files={"file_data": ("", PNG, "image/png")},
    data={"template_data": json.dumps({"format": "png", "filename": "logo.png", "uri": "logo"})},
).json()
say("attached", css=sorted(css), image=sorted(image), css_file=call("GET", f"/template/css/file/{css['id']}").text)
say("image_file", same=call("GET", f"/template/img/file/{image['id']}").content == PNG)

# Renderings of the stored template: urlencoded.
data = {"name": "Wörld", "amount": 12345678901234567890}
response = call("POST", f"/render/pdf/{ID}", data={"render_data": json.dumps(data), "render_options": json.dumps({"print_background": True, "margin_top": 2.5})})
save("single.pdf", response)
say("single", type=response.headers["Content-Type"], disposition=response.headers["Content-Disposition"])
batch = [{"name": f"n{i}", "amount": 1.0} for i in range(3)]
response = call("POST", f"/render/pdf/batch/{ID}", data={"render_data": json.dumps(batch)})
say("batch", names=zipfile.ZipFile(io.BytesIO(response.content)).namelist(), type=response.headers["Content-Type"])

# Renderings of a template sent along, with the template data the SDK sends when the caller gives none.
default = json.dumps({"name": "fastpdf-document", "format": "html", "title_header_enabled": False})
sent = {"file_data": ("", HTML.encode(), "application/octet-stream")}
fields = {"template_data": default, "render_data": json.dumps({"name": "Now", "amount": 1})}
response = call("POST", "/render/pdf", files=sent, data=fields)
save("now.pdf", response)
say("now", disposition=response.headers["Content-Disposition"])
fields["render_data"] = json.dumps(batch)
names = zipfile.ZipFile(io.BytesIO(call("POST", "/render/pdf/batch", files=sent, data=fields).content)).namelist()
say("now_batch", names=names)
csv = {**sent, "render_data": ("people.csv", b"name;amount\nAda;1\nBob;2\n", "text/csv")}
names = zipfile.ZipFile(io.BytesIO(call("POST", "/render/pdf/batch", files=csv, data={"template_data": default}).content)).namelist()
say("csv_batch", names=names)

# A GET with a body, which must not disturb; errors are readable; deletes are exactly 204.
say("get_with_body", ids=len(call("GET", "/template", data={"render_options": "{}"}).json()))
problem = call("POST", f"/render/pdf/{ID}", expect=422, data={"render_data": "[]"})
say("problem", content_type=problem.headers["Content-Type"], **problem.json())
call("DELETE", f"/template/css/{css['id']}", expect=204)
call("DELETE", f"/template/img/{image['id']}", expect=204)
call("DELETE", f"/template/{ID}", expect=204)
call("GET", f"/template/{ID}", expect=404)
say("deleted")
