"""Verifies calls to a ``callback_url`` by Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping


class WebhookError(Exception):
    """The call is not from the service, or it is too old."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, tolerance: float = 300, now: float | None = None
) -> dict[str, Any]:
    """Verifies that a call is from the service, and returns its event.

    ``secret`` is the result of ``webhook_secret()``; ``body`` is the body exactly as it arrived. Raises WebhookError.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        id, moment, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        seconds = int(moment)
    except (KeyError, ValueError) as error:
        raise WebhookError(f"a header is missing, or cannot be read: {error}") from error
    if abs((time.time() if now is None else now) - seconds) > tolerance:
        raise WebhookError("the call is too old, or of the future")
    data = body.encode() if isinstance(body, str) else body
    text = secret.removeprefix("whsec_").replace("-", "+").replace("_", "/")
    # b64decode ignores other characters: a damaged secret would become another key, an empty one a known key.
    if re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text) is None or len(text.rstrip("=")) % 4 == 1:
        raise WebhookError("the secret is not one of a webhook")
    text = text.rstrip("=")
    key = base64.b64decode(text + "=" * (-len(text) % 4))
    mac = hmac.new(key, f"{id}.{seconds}.".encode() + data, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    if not any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" ")):
        raise WebhookError("the signature is not of this secret and this body")
    event: dict[str, Any] = json.loads(data)
    return event
