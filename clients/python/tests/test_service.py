"""Tests the client against the service at PLATEN_URL, with the token PLATEN_TOKEN."""

import asyncio
import os
import tempfile
import unittest
from pathlib import Path

from platen import AsyncPlaten, Platen, PlatenError

URL, TOKEN = os.environ["PLATEN_URL"], os.environ["PLATEN_TOKEN"]


class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.platen = Platen(URL, TOKEN)
        self.addCleanup(self.platen.close)

    def test_from_a_template_to_a_batch(self) -> None:
        source = ("letter.html", "<p>Dear {{ name }}, {{ 10 / number }}</p>")
        added = self.platen.add_template(source, name="Letter", format="html")
        self.assertEqual(list(self.platen.fields(added["id"])["properties"]), ["name", "number"])
        self.assertIn(added["id"], [each["id"] for each in self.platen.templates(limit=1)])
        self.assertIn(added["id"], [each["id"] for each in self.platen.templates(name="etter")])
        self.assertEqual(list(self.platen.templates(name="etter", tag="unknown")), [])
        document = self.platen.render(added["id"], {"name": "Ada", "number": 4}, format="html")
        self.assertEqual((document.name, document.text()), ("Letter.html", "<p>Dear Ada, 2.5</p>"))
        records = [{"name": "P", "number": number} for number in range(1, 41)]
        job = self.platen.batch(added["id"], records, format="html")
        seen: list[int] = []
        with tempfile.TemporaryDirectory() as folder:
            zip = self.platen.job(job.id).wait(lambda now: seen.append(now["done"])).to_file(Path(folder, "all.zip"))
            self.assertGreater(zip.stat().st_size, 1000)
        self.assertEqual(seen[-1], 40)
        with self.assertRaises(PlatenError) as caught:
            self.platen.batch(added["id"], [{"name": "x", "number": 0}], format="html").wait()
        self.assertEqual((caught.exception.code, caught.exception.errors[0]["record"]), ("batch_failed", 0))
        self.platen.delete_template(added["id"])

    def test_pdfs_small_and_large(self) -> None:
        page = self.platen.barcode("4006381333931", "ean13").read()
        # Bytes after %%EOF are allowed; they make the file too large for the gateway.
        merged = self.platen.merge([page, ("large.pdf", page + b"\n" * (6 * 1024 * 1024))]).read()
        self.assertEqual(len(self.platen.info(merged)["pages"]), 2)
        stamped = self.platen.process([merged], [{"stamp": {"text": "DRAFT"}}]).read()
        self.assertIn("DRAFT", self.platen.pdf("text", stamped).text())
        with self.assertRaises(PlatenError) as caught:
            self.platen.pdf("compress", b"no PDF")
        self.assertEqual((caught.exception.status, caught.exception.code), (422, "pdf_invalid"))

    def test_asynchronous(self) -> None:
        async def run() -> list[str]:
            async with AsyncPlaten(URL, TOKEN) as platen:
                names = ("a", "b", "c")
                made = [platen.render(("x.html", "{{ x }}"), {"x": name}, format="html") for name in names]
                return [await document.text() for document in await asyncio.gather(*made)]

        self.assertEqual(asyncio.run(run()), ["a", "b", "c"])


if __name__ == "__main__":
    unittest.main()
