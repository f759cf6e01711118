"""What the Python SDK sends to the PDF operations: files as bytes (filename="" and a guessed content type), everything
else as text, `url` urlencoded.

Run by pdf.test.ts with the address, the token, a directory for what comes back, and the PDFs to send: one that has
everything (twice, under two names), scans, and one with a password. Prints one JSON object a line: the name of a step
and what was seen.
"""

import json
import sys

import requests

BASE, TOKEN, OUT, RICH, OTHER, SCANS, LOCKED = sys.argv[1:8]


def say(step, response):
    headers = {name.lower(): value for name, value in response.headers.items()}
    seen = {"status": response.status_code, "type": headers.get("content-type"), "headers": headers}
    if headers.get("content-type", "").startswith("application/problem+json"):
        seen["problem"] = response.json()
    else:
        with open(f"{OUT}/{step}", "wb") as file:
            file.write(response.content)
    print(json.dumps({"step": step, **seen}), flush=True)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def call(step, path, files=None, **fields):
    headers = {"Authorization": TOKEN}
    data = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    say(step, requests.post(BASE + path, headers=headers, files=files, data=data, timeout=120))


def pdf(path, field="file"):
    return {field: ("", content(path), "application/pdf")}


call("merge", "/pdf/merge", {**pdf(RICH, "file0"), **pdf(OTHER, "file1")})
call("merge-reversed", "/pdf/merge", {**pdf(RICH, "file2"), **pdf(OTHER, "file1")})
call("merge-one", "/pdf/merge", pdf(RICH, "file0"))
call("split", "/pdf/split", pdf(RICH), splits=[2, 3])
call("split-one", "/pdf/split", pdf(RICH), splits=[3])
call("split-any", "/pdf/split", pdf(RICH), splits="[3, 1, 2]")
call("split-outside", "/pdf/split", pdf(RICH), splits="[2,4]")
call("split-zip", "/pdf/split-zip", pdf(RICH), splits="[[1,2],[3]]")
call("compress", "/pdf/compress", pdf(SCANS))
call("compress-high", "/pdf/compress", pdf(SCANS), options={"quality": "high"})
call("compress-low", "/pdf/compress", pdf(SCANS), options={"quality": "low", "max_dpi": "60", "linearize": "true"})
call("compress-wrong", "/pdf/compress", pdf(SCANS), options={"quality": "best"})
call("compress-nearly", "/pdf/compress", pdf(SCANS), options={"qualty": "high"})
call("metadata", "/pdf/metadata", pdf(RICH), metadata={"Title": "Täst", "/Author": "Ada", "Subject": None, "Producer": ""})
call("metadata-wrong", "/pdf/metadata", pdf(RICH), metadata={"title": "red"})
call("encrypt", "/pdf/encrypt", pdf(RICH), options={"encrypt_password": "s3cret ü"})
call("encrypt-password", "/pdf/encrypt", pdf(RICH), password="pw")
call("encrypt-nothing", "/pdf/encrypt", pdf(RICH))
call("locked", "/pdf/split", pdf(LOCKED), splits="[1]")
call("locked-wrong", "/pdf/split", pdf(LOCKED), splits="[1]", input_password="no")
call("unlocked", "/pdf/split", pdf(LOCKED), splits="[1]", input_password="user")
call("damaged", "/pdf/compress", {"file": ("", content(RICH)[:200], "application/pdf")})
call("no-pdf", "/pdf/compress", {"file": ("", b"PK\x03\x04 not a PDF", "application/octet-stream")})
call("empty", "/pdf/compress", {"file": ("", b"", "application/pdf")})
call("nothing", "/pdf/compress", options="{}")
for kind in ["png", "jpeg", "jpg", "webp", "tiff", "gif", "bmp", "ico", "psd", "svg", "pdf"]:
    call(f"image.{kind}", f"/pdf/image/{kind}", pdf(RICH), dpi="50", pages="2")
call("images.zip", "/pdf/image/png", pdf(RICH), dpi=40)
call("images.tiff", "/pdf/image/tiff", pdf(RICH), dpi=40)
call("image-wrong", "/pdf/image/heic", pdf(RICH))
# Addresses that the service does not go to, urlencoded as the client sends them.
for name, url in [
    ("private", "http://10.0.0.1/"),
    ("loopback", "http://127.0.0.1:22/"),
    ("metadata", "http://169.254.169.254/latest/meta-data/"),
    ("file", "file:///etc/passwd"),
    ("no", "nonsense"),
]:
    call(f"url-{name}", "/pdf/url", url=url)
