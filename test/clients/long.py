"""Long work by the Python client: ``python long.py TASK …``, as long.mjs does it. Run by long.ts."""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any, Callable

from platen import Platen, PlatenError

URL, TOKEN = os.environ["PLATEN_URL"], os.environ["PLATEN_TOKEN"]
platen = Platen(URL, TOKEN)
template = ("letter.html", "<p>{{ name }}, {{ 10 / number }}</p>")


def start() -> None:
    records = [{"name": f"Person {number}", "number": number} for number in range(1, 1001)]
    job = platen.batch(template, records)
    print(job.id, flush=True)
    job.wait(lambda now: print(f"done {now['done']}", flush=True))


def resume(id: str, file: str) -> None:
    platen.job(id).wait().to_file(file)


def upload(file: str) -> None:
    pages = len(platen.info(Path(file))["pages"])
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"pages": pages, "megabytes": used}))


# A PDF to refuse something of.
page = b""

REFUSED: dict[str, Callable[[], Any]] = {
    "unauthorized": lambda: Platen(URL, "none").token(),
    "insufficient_scope": lambda: Platen(URL, os.environ["PLATEN_READER"]).render(template, {"number": 1}),
    "not_found": lambda: platen.template("none"),
    "route_not_found": lambda: platen.json("GET", "/nothing"),
    "method_not_allowed": lambda: platen.json("PATCH", "/template"),
    "invalid_field": lambda: platen.pdf("metadata", page, metadata={"Colour": "x"}),
    "missing_field": lambda: platen.pdf("encrypt", page),
    "template_syntax": lambda: platen.render(("x.html", "{% for %}"), {}),
    "template_render": lambda: platen.render(template, {"number": 0}),
    "pdf_invalid": lambda: platen.pdf("compress", b"no PDF"),
    "batch_failed": lambda: platen.batch(template, [{"number": 0}]).wait(),
    "unreachable": lambda: Platen("http://127.0.0.1:9", TOKEN, retries=0).token(),
}


def errors() -> None:
    global page
    page = platen.barcode("5901234123457", "ean13").read()
    for code, work in REFUSED.items():
        try:
            work()
            print(f"{code}: nothing was thrown")
        except PlatenError as error:
            if error.code != code:
                print(f"{code}: {error.code}")


{"start": start, "resume": resume, "upload": upload, "errors": errors}[sys.argv[1]](*sys.argv[2:])
