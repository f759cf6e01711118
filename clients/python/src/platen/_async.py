"""The client of the service, for asyncio. The synchronous module beside this one is made from it by make_sync.py."""

from __future__ import annotations

import asyncio
import os
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any, AsyncIterator, Callable, Mapping, Sequence

import httpx

from ._errors import PlatenError, refusal, retry_after, unreachable
from ._wire import (
    FileInput,
    SentFile,
    Uploaded,
    large,
    may_send_again,
    name_of,
    next_cursor,
    opened,
    pause,
    repeats,
    segment,
    texts,
    warnings_of,
)

Json = dict[str, Any]
Files = Mapping[str, FileInput | None]


class AsyncDocument:
    """A document in a response of the service. It can be read once."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.name = name_of(response.headers)
        self.type: str = response.headers.get("content-type", "application/octet-stream")
        self.warnings = warnings_of(response.headers)

    async def read(self) -> bytes:
        try:
            return await self.response.aread()
        finally:
            await self.response.aclose()

    async def text(self) -> str:
        return (await self.read()).decode()

    async def to_file(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes the document to a file, which appears only when it is complete. Returns its path."""
        place = Path(self.name if path is None else path)
        # Not the name with a suffix, which could be longer than file systems allow.
        partial = place.with_name(f"platen-{uuid.uuid4()}.part")
        try:
            # The partial file must not exist before, so no existing file or link target is overwritten.
            with partial.open("xb") as file:
                async for chunk in self.response.aiter_bytes():
                    file.write(chunk)
            partial.replace(place)
        finally:
            partial.unlink(missing_ok=True)
            await self.response.aclose()
        return place


class AsyncJob:
    """A job of the service. It continues without this object; ``platen.job(id)`` returns a new one for it."""

    def __init__(self, platen: AsyncPlaten, id: str) -> None:
        self._platen = platen
        self.id = id

    async def get(self) -> Json:
        """Returns the current state of the job."""
        found: Json = await self._platen.json("GET", f"/jobs/{segment(self.id)}")
        return found

    async def ended(self, on_progress: Callable[[Json], None] | None = None) -> Json:
        """Waits until the job has ended, whether it succeeded or not."""
        misses, wait = 0, 0.25
        while True:
            try:
                job = await self.get()
                misses = 0
                if on_progress is not None:
                    on_progress(job)
                if job["finished"] is not None:
                    return job
            except PlatenError as error:
                misses += 1
                if misses > 30 or not (error.status in (0, 429) or error.status >= 500):
                    raise
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, 3.0)

    async def wait(self, on_progress: Callable[[Json], None] | None = None) -> AsyncDocument:
        """Waits until the job has ended and opens its result. Raises the problem of a failed job."""
        job = await self.ended(on_progress)
        if job["state"] == "failed" and job["problem"] is not None:
            raise PlatenError.of(job["problem"], 500)
        return await self.result()

    async def result(self) -> AsyncDocument:
        """Opens the result of the job."""
        path = f"/jobs/{segment(self.id)}/result"
        return AsyncDocument(await self._platen.send("GET", path, stream=True))

    async def cancel(self) -> None:
        """Cancels the job if it is running; deletes it with its result if it has ended."""
        await self._platen.send("DELETE", f"/jobs/{segment(self.id)}")


class AsyncPlaten:
    """A client of the service at ``url``, with or without ``/v1``."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        retries: int = 4,
        max_pause: float = 30.0,
        timeout: float | None = 900.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._base = url.rstrip("/").removesuffix("/v1") + "/v1"
        self._token = token
        self._retries = retries
        self._max_pause = max_pause
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport, follow_redirects=True)

    async def __aenter__(self) -> AsyncPlaten:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    # Requests

    async def send(
        self,
        method: str,
        path: str,
        *,
        fields: Mapping[str, Any] | None = None,
        files: Files | None = None,
        query: Mapping[str, Any] | None = None,
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        repeatable: bool | None = None,
        stream: bool = False,
    ) -> httpx.Response:
        """Sends a request, and retries it if that is safe. ``path`` is relative to ``/v1``.

        Raises PlatenError for an error response, and if there is no response.
        """
        data, parts = await self._form(fields, files)
        own = {"authorization": self._token, **(headers or {})}
        if idempotency_key is not None:
            own["idempotency-key"] = idempotency_key
        if body is not None:
            own["content-type"] = "application/json"
        again = idempotency_key is not None or (repeats(method, path) if repeatable is None else repeatable)
        params = {name: str(value) for name, value in (query or {}).items() if value is not None}
        try:
            return await self._answered(method, path, data, parts, params, own, body, again, stream)
        finally:
            for part in parts:
                part.close()

    async def _answered(
        self,
        method: str,
        path: str,
        data: dict[str, str],
        parts: list[SentFile],
        params: dict[str, str],
        headers: dict[str, str],
        body: str | None,
        again: bool,
        stream: bool,
    ) -> httpx.Response:
        attempt = 0
        while True:
            for part in parts:
                part.content.seek(0)
            request = self._http.build_request(
                method,
                self._base + path,
                params=params,
                headers=headers,
                content=body,
                data=data or None,
                files=[(part.field, (part.name, part.content)) for part in parts] or None,
            )
            after: float | None = None
            try:
                response = await self._http.send(request, stream=stream)
                if response.is_success:
                    return response
                await response.aread()
                await response.aclose()
                error, after = refusal(response), retry_after(response)
            except httpx.TransportError as broken:
                error = unreachable(self._base, broken)
            wait = pause(attempt, after, self._max_pause)
            if attempt >= self._retries or wait is None or not may_send_again(error.status, error.code, again):
                raise error
            await asyncio.sleep(wait)
            attempt += 1

    async def json(self, method: str, path: str, **more: Any) -> Any:
        """Sends a request like ``send`` and returns the JSON of its response."""
        return (await self.send(method, path, **more)).json()

    async def work(
        self, path: str, fields: Mapping[str, Any] | None = None, files: Files | None = None, **more: Any
    ) -> AsyncDocument:
        """Sends a POST request whose response is a document."""
        response = await self.send(
            "POST", path, fields=fields, files=files, repeatable=True, stream=True, **more
        )
        return AsyncDocument(response)

    async def start(
        self,
        path: str,
        fields: Mapping[str, Any] | None = None,
        files: Files | None = None,
        *,
        callback_url: str | None = None,
        idempotency_key: str | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> AsyncJob:
        """Sends a POST request for a document as a job."""
        job = await self.json(
            "POST",
            path,
            fields={**(fields or {}), "callback_url": callback_url},
            files=files,
            query=query,
            headers={"prefer": "respond-async"},
            idempotency_key=idempotency_key or str(uuid.uuid4()),
        )
        return AsyncJob(self, str(job["id"]))

    async def _form(
        self, fields: Mapping[str, Any] | None, files: Files | None
    ) -> tuple[dict[str, str], list[SentFile]]:
        data = texts(fields or {})
        sent: list[SentFile] = []
        for field, given in (files or {}).items():
            if isinstance(given, Uploaded):
                data[field] = given.reference
            elif given is not None:
                sent.append(opened(field, given))
        for field in [name for name, text in data.items() if len(text) >= 1024 * 1024]:
            sent.append(opened(field, (f"{field}.json", data.pop(field))))
        for file in large(sent):
            data[file.field] = (await self._uploaded(file)).reference
            file.close()
            sent.remove(file)
        # httpx sends a multipart form only if there are files. The service accepts a urlencoded form as well.
        return data, sent

    async def _uploaded(self, file: SentFile) -> Uploaded:
        form = await self.json(
            "POST", "/uploads", fields={"size": file.size, "name": file.name}, repeatable=True
        )
        for attempt in range(3):
            file.content.seek(0)
            try:
                response = await self._http.post(
                    form["url"], data=form["fields"], files={"file": ("file", file.content)}
                )
            except httpx.TransportError as broken:
                error = unreachable(form["url"], broken)
            else:
                if response.is_success:
                    return Uploaded(str(form["reference"]))
                error = PlatenError(response.status_code, "upload_refused", response.text[:1000])
            if attempt == 2 or not (error.status == 0 or error.status >= 500):
                raise error
            await asyncio.sleep(1.0 + attempt)
        raise AssertionError("unreachable")

    async def upload(self, file: FileInput) -> Uploaded:
        """Uploads a file that requests of the next day can refer to. Calls upload large files automatically."""
        given = opened("file", file)
        try:
            return await self._uploaded(given)
        finally:
            given.close()

    async def _pages(self, path: str, limit: int | None, **wanted: str | None) -> AsyncIterator[Json]:
        cursor: str | None = None
        while True:
            response = await self.send("GET", path, query={"limit": limit, "cursor": cursor, **wanted})
            for entry in response.json():
                yield entry
            cursor = next_cursor(response.headers)
            if cursor is None:
                return

    # Templates

    def templates(
        self, limit: int | None = None, *, name: str | None = None, tag: str | None = None
    ) -> AsyncIterator[Json]:
        """Yields all templates, newest first; ``limit`` is the number of templates per request.

        ``name`` selects templates whose name contains this text, ``tag`` those with this tag.
        """
        return self._pages("/template", limit, name=name, tag=tag)

    async def template(self, id: str, version: int | str | None = None) -> Json:
        found: Json = await self.json("GET", f"/template/{segment(id)}", query={"version": version})
        return found

    async def add_template(
        self,
        file: FileInput,
        *,
        name: str,
        format: str,
        header: FileInput | None = None,
        footer: FileInput | None = None,
        **settings: Any,
    ) -> Json:
        """Stores a template; ``settings`` are the default options of its renderings."""
        fields = {"template_data": {**settings, "name": name, "format": format}}
        files = {"file_data": file, "header_data": header, "footer_data": footer}
        added: Json = await self.json("POST", "/template", fields=fields, files=files)
        return added

    async def fields(self, id: str) -> Json:
        """Returns a JSON Schema of the data that a template uses."""
        found: Json = await self.json("GET", f"/template/{segment(id)}/fields")
        return found

    async def delete_template(self, id: str) -> None:
        await self.send("DELETE", f"/template/{segment(id)}")

    # Renderings

    async def render(
        self,
        template: str | FileInput,
        data: Mapping[str, Any] | str | None = None,
        *,
        format: str = "pdf",
        options: Mapping[str, Any] | None = None,
        version: int | str | None = None,
        **template_data: Any,
    ) -> AsyncDocument:
        """Fills and prints a template: a stored one by its id, or a file (a ``Path``, or ``(name, text)``)."""
        path, files = _target(f"/render/{segment(format)}", template)
        fields = {"render_data": data, "render_options": options, "template_data": template_data or None}
        return await self.work(path, fields, files, query={"version": version})

    async def batch(
        self,
        template: str | FileInput,
        records: Sequence[Mapping[str, Any]] | FileInput,
        *,
        format: str = "pdf",
        options: Mapping[str, Any] | None = None,
        on_error: str | None = None,
        **job: Any,
    ) -> AsyncJob:
        """Starts a job that prints one document for each record. Its result is a ZIP file."""
        path, files = _target(f"/render/{segment(format)}/batch", template)
        fields: Json = {"render_options": options, "on_error": on_error}
        if isinstance(records, (list, tuple)) and not _is_file(records):
            fields["render_data"] = list(records)
        else:
            files = {**files, "render_data": records}  # type: ignore[dict-item]
        return await self.start(path, fields, files, **job)

    async def image(self, image: FileInput, options: Mapping[str, Any] | None = None) -> AsyncDocument:
        return await self.work("/render/img", {"render_options": options}, {"image": image})

    async def barcode(
        self, data: str, barcode_format: str, options: Mapping[str, Any] | None = None
    ) -> AsyncDocument:
        fields = {"data": {"data": data, "barcode_format": barcode_format}, "render_options": options}
        return await self.work("/render/barcode", fields)

    async def url(self, url: str, options: Mapping[str, Any] | None = None) -> AsyncDocument:
        return await self.work("/pdf/url", {"url": url, "render_options": options})

    # PDFs

    async def merge(self, files: Sequence[FileInput]) -> AsyncDocument:
        return await self.work("/pdf/merge", files=_numbered(files))

    async def pdf(self, operation: str, file: FileInput, parts: Files | None = None, **fields: Any) -> AsyncDocument:
        """Applies one operation with its fields to a PDF: ``compress``, ``split``, ``sign``, ``form/fill``, …"""
        path = "/".join(segment(part) for part in operation.split("/"))
        return await self.work(f"/pdf/{path}", fields, {"file": file, **(parts or {})})

    async def process(
        self, files: Sequence[FileInput], steps: Sequence[Mapping[str, Any]], parts: Files | None = None
    ) -> AsyncDocument:
        """Joins PDFs and applies the steps to the result, in their order."""
        return await self.work("/pdf/process", {"steps": list(steps)}, {**_numbered(files), **(parts or {})})

    async def info(self, file: FileInput) -> Json:
        """Returns the properties of a PDF."""
        found: Json = await self.json("POST", "/pdf/info", files={"file": file}, repeatable=True)
        return found

    # Jobs and the account

    def job(self, id: str) -> AsyncJob:
        """Returns a job by its id, for example to continue with it in another program. Sends no request."""
        return AsyncJob(self, id)

    def jobs(self, limit: int | None = None) -> AsyncIterator[Json]:
        """Yields all jobs, newest first."""
        return self._pages("/jobs", limit)

    async def token(self) -> Json:
        """Returns the properties of the token."""
        found: Json = await self.json("GET", "/token")
        return found

    async def webhook_secret(self) -> str:
        """Returns the secret for ``verify_webhook``."""
        return str((await self.json("GET", "/webhook"))["secret"])


def _is_file(value: object) -> bool:
    """Returns whether a value is ``(name, content)`` and not a list of records."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)


def _target(path: str, template: str | FileInput) -> tuple[str, dict[str, FileInput | None]]:
    if isinstance(template, str):
        return f"{path}/{segment(template)}", {}
    return path, {"file_data": template}


def _numbered(files: Sequence[FileInput]) -> dict[str, FileInput | None]:
    return {f"file{index}": file for index, file in enumerate(files)}
