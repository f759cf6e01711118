"""A client of the document service Platen: docs/clients.md."""

from ._async import AsyncDocument, AsyncJob, AsyncPlaten
from ._errors import PlatenError
from ._sync import Document, Job, Platen
from ._wire import FileInput, Uploaded
from .webhook import WebhookError, verify_webhook

__all__ = [
    "AsyncDocument",
    "AsyncJob",
    "AsyncPlaten",
    "Document",
    "FileInput",
    "Job",
    "Platen",
    "PlatenError",
    "Uploaded",
    "WebhookError",
    "verify_webhook",
]
