"""Encodes forms for the service, and reads the headers of its responses."""

from __future__ import annotations

import io
import json
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Mapping, Union
from urllib.parse import parse_qs, quote, urlsplit

import httpx

from ._names import received_name

FileInput = Union[bytes, str, "os.PathLike[str]", BinaryIO, tuple[str, Union[bytes, str]], "Uploaded"]
"""A path (``pathlib.Path``), bytes, text, an open file, ``(name, content)``, or a file that has been uploaded."""

# Most bytes of files in one request: of API Gateway's 10 MB, Lambda leaves about 4.5.
INLINE_BYTES = 4 * 1024 * 1024
FIRST_PAUSE = 0.5
NOT_WORKED_ON = frozenset({429, 503})


@dataclass(frozen=True)
class Uploaded:
    """A file in the storage of the service. For a day, any file field accepts it instead of a file."""

    reference: str


@dataclass(frozen=True)
class SentFile:
    field: str
    name: str
    content: BinaryIO
    size: int
    owned: bool = True

    def close(self) -> None:
        """Closes the content, unless the caller opened it."""
        if self.owned:
            self.content.close()


def opened(field: str, given: FileInput) -> SentFile:
    """Returns a file that is ready to be sent. Raises OSError if it cannot be opened."""
    if isinstance(given, Uploaded):
        raise TypeError("an uploaded file is sent by its reference")
    if isinstance(given, tuple):
        name, content = given
        return _of_bytes(field, name, content)
    if isinstance(given, (bytes, str)):
        return _of_bytes(field, field, given)
    if isinstance(given, os.PathLike):
        path = Path(given)
        return SentFile(field, path.name, path.open("rb"), path.stat().st_size)
    start = given.tell()
    size = given.seek(0, io.SEEK_END) - start
    given.seek(start)
    return SentFile(field, Path(str(getattr(given, "name", field))).name, given, size, owned=False)


def _of_bytes(field: str, name: str, content: bytes | str) -> SentFile:
    data = content.encode() if isinstance(content, str) else content
    return SentFile(field, name, io.BytesIO(data), len(data))


def texts(fields: Mapping[str, Any]) -> dict[str, str]:
    """Returns text fields: text unchanged, other values as JSON. Fields that are ``None`` are omitted."""
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in fields.items()
        if value is not None
    }


def large(files: list[SentFile]) -> list[SentFile]:
    """Returns the largest files, to be uploaded first, so that the others fit into one request."""
    inline = sum(file.size for file in files)
    chosen: list[SentFile] = []
    for file in sorted(files, key=lambda each: -each.size):
        if inline <= INLINE_BYTES:
            break
        chosen.append(file)
        inline -= file.size
    return chosen


def pause(attempt: int, after: float | None, most: float) -> float | None:
    """Returns seconds before the next attempt; None if the service asks for a longer pause than ``most``."""
    if after is not None and after > most:
        return None
    own = FIRST_PAUSE * 2**attempt * (0.5 + random.random() / 2)
    return float(min(max(after or 0.0, own), most))


def may_send_again(status: int, code: str, repeatable: bool) -> bool:
    return (
        status in NOT_WORKED_ON or code == "request_in_progress" or (repeatable and status in (0, 502))
    )


def repeats(method: str, path: str) -> bool:
    """Returns whether a request is idempotent: it adds nothing, and writes no new version of a template."""
    return method != "POST" and not (method == "PUT" and re.fullmatch(r"/template/[^/]+", path))


def segment(value: str) -> str:
    """Returns a value as one segment of a path. Raises ValueError if the result would be another path."""
    if value in ("", ".", ".."):
        raise ValueError(f"{value!r} cannot be part of an address")
    return quote(value, safe="")


def name_of(headers: httpx.Headers) -> str:
    """Returns the file name in Content-Disposition, as ``received_name`` does."""
    return received_name(headers.get("content-disposition", ""))


def warnings_of(headers: httpx.Headers) -> list[str]:
    """Returns the texts of ``Warning: 299 - "…"``."""
    found = re.findall(r'\d{3} \S+ "((?:[^"\\]|\\.)*)"', headers.get("warning", ""))
    return [re.sub(r"\\(.)", r"\1", text) for text in found]


def next_cursor(headers: httpx.Headers) -> str | None:
    """Returns the cursor in ``Link: <…?cursor=…>; rel="next"``; None on the last page."""
    link = re.search(r'<([^<>]*)>; ?rel="?next"?', headers.get("link", ""))
    if link is None:
        return None
    return parse_qs(urlsplit(link.group(1)).query).get("cursor", [None])[0]
