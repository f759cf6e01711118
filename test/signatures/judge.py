"""Says what pyHanko finds of the signatures of PDFs: judge.py ANCHOR.pem FILE..., answer as JSON."""

import json
import logging
import sys

from asn1crypto import pem, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)
anchor, *paths = sys.argv[1:]
with open(anchor, "rb") as file:
    root = x509.Certificate.load(pem.unarmor(file.read())[2])


def judged(path):
    with open(path, "rb") as file:
        reader = PdfFileReader(file)
        return [judged_signature(reader, signature) for signature in reader.embedded_signatures]


def judged_signature(reader, signature):
    context = {"trust_roots": [root], "allow_fetching": False}
    stored = "/DSS" in reader.root
    if stored:
        # With what the document brings along alone, and nothing may be missing of it.
        store = DocumentSecurityStore.read_dss(reader)
        context = store.as_validation_context({**context, "revocation_mode": "hard-fail"})
    else:
        context = ValidationContext(**context)
    status = validate_pdf_signature(signature, context, context)
    stamp = status.timestamp_validity
    return {
        "valid": status.bottom_line,
        "coverage": status.coverage.name,
        "changes": status.modification_level.name,
        "permitted": status.docmdp_ok,
        "stamped": stamp is not None and stamp.valid and stamp.trusted,
        "stored": stored,
    }


print(json.dumps([judged(path) for path in paths]))
