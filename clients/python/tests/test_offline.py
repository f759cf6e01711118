"""Tests the client against responses that the tests define."""

import asyncio
import base64
import hashlib
import hmac
import tempfile
import unittest
from functools import partial
from pathlib import Path
from unittest import mock

import httpx
from standardwebhooks import Webhook

from platen import AsyncPlaten, Platen, PlatenError, WebhookError, verify_webhook


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"status": status, "code": code, "detail": f"It is {code}.", "request_id": "r-1"}
    return httpx.Response(status, json=body, headers=headers)


class Answers(httpx.MockTransport):
    """Returns responses in their order; raises those that are exceptions."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.seen: list[tuple[httpx.Request, bytes]] = []
        super().__init__(self.answer)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.seen.append((request, request.read()))
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given


def client(*answers: httpx.Response | Exception) -> tuple[Platen, Answers]:
    transport = Answers(*answers)
    return Platen("http://service/live/v1/", "secret", transport=transport), transport


@mock.patch("time.sleep")
class Requests(unittest.TestCase):
    def test_sent_again_with_the_same_key(self, sleep: mock.Mock) -> None:
        broken = httpx.ReadError("gone")
        busy = problem(503, "service_busy", **{"retry-after": "7"})
        platen, transport = client(broken, busy, problem(409, "request_in_progress"), httpx.Response(202, json={"id": "j1"}))
        self.assertEqual(platen.batch("t1", [{"a": 1}]).id, "j1")
        keys = {request.headers["idempotency-key"] for request, _ in transport.seen}
        self.assertEqual((len(transport.seen), len(keys)), (4, 1))
        self.assertEqual({str(request.url) for request, _ in transport.seen}, {"http://service/live/v1/render/pdf/batch/t1"})
        self.assertEqual(sleep.call_args_list[1].args[0], 7.0)

    def test_not_sent_again_where_it_might_be_done_twice(self, sleep: mock.Mock) -> None:
        platen, transport = client(httpx.ReadError("gone"))
        with self.assertRaises(PlatenError) as caught:
            platen.add_template(b"x", name="A", format="html")
        self.assertEqual((caught.exception.code, len(transport.seen)), ("unreachable", 1))

    def test_another_version_is_not_written_twice(self, sleep: mock.Mock) -> None:
        platen, transport = client(httpx.ReadError("gone"), httpx.ReadError("gone"), httpx.Response(204))
        with self.assertRaises(PlatenError):
            platen.send("PUT", "/template/t1", fields={"publish": True})
        self.assertEqual(len(transport.seen), 1)
        platen.send("PUT", "/partials/p1", fields={"content": "x"})
        self.assertEqual(len(transport.seen), 3)

    def test_an_id_is_one_segment_of_the_address(self, sleep: mock.Mock) -> None:
        platen, transport = client(*(httpx.Response(200, json={}) for _ in range(4)))
        platen.template("../jobs/a b?x#y")
        platen.job("a/b").get()
        platen.render("a/b")
        platen.pdf("form/fill", b"%PDF")
        paths = [request.url.raw_path.decode().split("?v")[0] for request, _ in transport.seen]
        self.assertEqual(
            [path.removeprefix("/live/v1") for path in paths],
            ["/template/..%2Fjobs%2Fa%20b%3Fx%23y", "/jobs/a%2Fb", "/render/pdf/a%2Fb", "/pdf/form/fill"],
        )
        for id in ("", ".", ".."):
            for call in (partial(platen.delete_template, id), partial(platen.fields, id), platen.job(id).cancel):
                with self.assertRaises(ValueError):
                    call()

    def test_refusals(self, sleep: mock.Mock) -> None:
        platen, _ = client(problem(422, "invalid_option"), httpx.Response(418, text="<html>"))
        for code in ("invalid_option", "unknown"):
            with self.assertRaises(PlatenError) as caught:
                platen.render("t1")
            self.assertEqual(caught.exception.code, code)

    def test_large_files_are_uploaded(self, sleep: mock.Mock) -> None:
        form = {"url": "http://storage/", "fields": {"key": "k"}, "reference": "upload:u1"}
        platen, transport = client(
            httpx.Response(200, json=form), httpx.Response(500), httpx.Response(204), httpx.Response(200, content=b"%PDF")
        )
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "large.pdf")
            file.write_bytes(b"x" * (5 * 1024 * 1024))
            saved = platen.merge([b"small", file]).to_file(Path(folder, "out.pdf"))
            self.assertEqual(saved.read_bytes(), b"%PDF")
        (_, asked), (_, failed), (storage, sent), (_, merged) = transport.seen
        self.assertIn(b"large.pdf", asked)
        self.assertNotIn("authorization", storage.headers)
        self.assertEqual(len(failed), len(sent))
        self.assertIn(b"upload:u1", merged)

    def test_names(self, sleep: mock.Mock) -> None:
        for header, name in (
            ("attachment; filename=Letter.html", "Letter.html"),
            ('attachment; filename="A b.pdf"', "A b.pdf"),
            ("attachment; filename=\"x.pdf\"; filename*=UTF-8''..%2FB%C3%BCro.pdf", "Büro.pdf"),
            ("attachment", "document"),
            ('attachment; filename="CON.pdf"', "document.pdf"),
        ):
            platen, _ = client(httpx.Response(200, headers={"content-disposition": header}))
            self.assertEqual(platen.render("t1").name, name)

    def test_lists(self, sleep: mock.Mock) -> None:
        link = {"link": '</live/v1/jobs?limit=1&cursor=a>; rel="next"'}
        platen, transport = client(httpx.Response(200, json=[{"id": "a"}], headers=link), httpx.Response(200, json=[{"id": "b"}]))
        self.assertEqual([job["id"] for job in platen.jobs(limit=1)], ["a", "b"])
        self.assertEqual(transport.seen[1][0].url.params["cursor"], "a")

    def test_templates_by_name_and_tag(self, sleep: mock.Mock) -> None:
        link = {"link": '</live/v1/template?limit=1&name=voice&tag=de&cursor=a>; rel="next"'}
        platen, transport = client(httpx.Response(200, json=[{"id": "a"}], headers=link), httpx.Response(200, json=[]))
        self.assertEqual([each["id"] for each in platen.templates(limit=1, name="voice", tag="de")], ["a"])
        asked = [dict(request.url.params) for request, _ in transport.seen]
        first = {"limit": "1", "name": "voice", "tag": "de"}
        self.assertEqual(asked, [first, {**first, "cursor": "a"}])

    def test_jobs_that_fail(self, sleep: mock.Mock) -> None:
        ended = {"state": "failed", "finished": "now", "problem": {"status": 422, "code": "batch_failed", "detail": "No."}}
        platen, _ = client(httpx.Response(200, json={"state": "running", "finished": None}), httpx.Response(200, json=ended))
        with self.assertRaises(PlatenError) as caught:
            platen.job("j1").wait()
        self.assertEqual(caught.exception.code, "batch_failed")

    def test_asynchronous(self, sleep: mock.Mock) -> None:
        async def run() -> bytes:
            transport = Answers(httpx.Response(200, content=b"%PDF"))
            async with AsyncPlaten("http://service", "secret", transport=transport) as platen:
                return await (await platen.render("t1", {"a": 1})).read()

        self.assertEqual(asyncio.run(run()), b"%PDF")


class Webhooks(unittest.TestCase):
    def test_as_the_public_library_signs(self) -> None:
        import datetime

        secret = "whsec_" + base64.b64encode(b"\x07" * 32).decode()
        body = '{"type":"job.succeeded","job":{"id":"j1"}}'
        now = datetime.datetime.now(datetime.timezone.utc)
        signature = Webhook(secret).sign("j1", now, body)
        headers = {"Webhook-Id": "j1", "Webhook-Timestamp": str(int(now.timestamp())), "Webhook-Signature": f"v1a,x {signature}"}
        self.assertEqual(verify_webhook(secret, headers, body)["job"]["id"], "j1")
        for changed in ({"body": body + " "}, {"now": now.timestamp() + 301}, {"headers": {**headers, "Webhook-Id": "j2"}}):
            with self.assertRaises(WebhookError):
                verify_webhook(**{"secret": secret, "headers": headers, "body": body, **changed})  # type: ignore[arg-type]

    def test_a_secret_that_is_none_signs_nothing(self) -> None:
        body, now = b'{"type":"job.succeeded"}', 1_700_000_000
        for secret in ("", "whsec_", "whsec_=", "whsec_!!!!", "whsec_ä", "A", "AAAA\n", "AA AA"):
            try:
                key = base64.b64decode(secret.removeprefix("whsec_") + "===")
            except ValueError:
                key = b""
            mac = hmac.new(key, f"j1.{now}.".encode() + body, hashlib.sha256).digest()
            signature = "v1," + base64.b64encode(mac).decode()
            headers = {"webhook-id": "j1", "webhook-timestamp": str(now), "webhook-signature": signature}
            with self.subTest(secret), self.assertRaises(WebhookError):
                verify_webhook(secret, headers, body, now=now)


if __name__ == "__main__":
    unittest.main()
