"""The errors that calls raise."""

from __future__ import annotations

import email.utils
import time
from typing import Any, Mapping, Sequence

import httpx


class PlatenError(Exception):
    """The service refused a request, failed, or could not be reached.

    ``code`` is for programs: a code of docs/errors.md, or ``unreachable``, ``unknown`` or ``upload_refused`` of this
    client. The text is for people. ``status`` is 0 if there was no response.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        request_id: str | None = None,
        errors: Sequence[Mapping[str, Any]] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.errors = list(errors)
        self.retry_after = retry_after

    @classmethod
    def of(cls, problem: Mapping[str, Any], status: int, retry_after: float | None = None) -> PlatenError:
        """Returns the error for a problem document of a response or of a failed job."""
        return cls(
            int(problem.get("status", status)),
            str(problem.get("code", "unknown")),
            str(problem.get("detail") or problem.get("title") or f"The service answers {status}."),
            request_id=problem.get("request_id"),
            errors=problem.get("errors") or (),
            retry_after=retry_after,
        )


def refusal(response: httpx.Response) -> PlatenError:
    """Returns the error for a response without success, whose body has been read."""
    after = retry_after(response)
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if isinstance(problem, dict) and isinstance(problem.get("code"), str):
        return PlatenError.of(problem, response.status_code, after)
    message = f"{response.url.host} answers {response.status_code} {response.reason_phrase}"
    return PlatenError(response.status_code, "unknown", message, retry_after=after)


def unreachable(url: str, error: Exception) -> PlatenError:
    """Returns the error for a request without a response."""
    return PlatenError(0, "unreachable", f"{url} cannot be reached: {error}")


def retry_after(response: httpx.Response) -> float | None:
    """Returns seconds from ``Retry-After``, which holds seconds or a date (RFC 9110, 10.2.3)."""
    text = response.headers.get("retry-after")
    if text is None:
        return None
    try:
        return max(float(text), 0.0)
    except ValueError:
        pass
    try:
        return max(email.utils.parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except ValueError:
        return None
