"""Fills templates with Jinja2's i18n extension and catalogues of gettext, read by Babel: JSON in, JSON out."""

import io
import json
import sys

import jinja2
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations


def filled(case):
    catalogue = io.BytesIO()
    write_mo(catalogue, read_po(io.BytesIO(case["po"].encode()), ignore_obsolete=True))
    catalogue.seek(0)
    is_flask = case["engine"] == "flask"
    environment = jinja2.Environment(autoescape=is_flask, extensions=["jinja2.ext.i18n"])
    environment.install_gettext_translations(Translations(catalogue), newstyle=is_flask)
    try:
        return {"text": environment.from_string(case["template"]).render(case["data"])}
    except Exception as error:  # noqa: BLE001
        return {"fault": type(error).__name__}


print(json.dumps([filled(case) for case in json.load(sys.stdin)]))
