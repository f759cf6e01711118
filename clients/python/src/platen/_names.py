"""The rule for names of files that the client may write, as in packages/core/src/name-fault.ts."""

from __future__ import annotations

import re
from urllib.parse import unquote

# Separators of folders, of drives and of NTFS streams, control characters, lone surrogates, and marks that change
# the direction of what follows or that file systems ignore.
_FORBIDDEN = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ud800-\udfff:/\\\\]"
)
# Letters of some scripts need these joiners; HFS+ ignores them in names.
_JOINERS = re.compile("[\u200c\u200d]")
# Devices of Windows, with any extension.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|\Z)", re.IGNORECASE | re.ASCII
)
# Names that Windows gives to other files: GIT~1 is .git.
_SHORT = re.compile(r"(?=[^.]{1,8}(?:\.|\Z))[^.]*~[0-9]+(?:\.[^.]{0,3})?\Z")
_MAX_BYTES = 255


def name_fault(name: str) -> str | None:
    """Returns why a name must not be used for a file, such as ``begins with a dot``; None if it may be."""
    forbidden = _FORBIDDEN.search(name)
    if forbidden is not None:
        character = forbidden.group()
        shown = character if character in ":/\\" else f"U+{ord(character):04X}"
        return f"contains {shown}"
    if len(name.encode()) > _MAX_BYTES:
        return f"has more than {_MAX_BYTES} bytes"
    seen = _JOINERS.sub("", name)
    if seen == "":
        return "is empty"
    if seen.startswith("."):
        return "begins with a dot"
    if seen.startswith("~"):
        return "begins with ~"
    if re.search(r"[.\s]\Z", seen):
        return "ends with a dot or a blank"
    if _DEVICE.match(seen):
        return "is a device on Windows"
    if _SHORT.match(seen):
        return "is the short name of another file on Windows"
    return None


def received_name(header: str) -> str:
    """Returns the file name in a Content-Disposition (RFC 6266), without any path.

    A name that must not be used for a file becomes ``document``, with its extension.
    """
    extended = re.search(r"filename\*=UTF-8''([^;\s]+)", header, re.IGNORECASE)
    plain = re.search(r'filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))', header, re.IGNORECASE)
    name = _decoded(extended.group(1)) if extended else None
    if name is None and plain is not None:
        name = plain.group(2) if plain.group(1) is None else re.sub(r"\\(.)", r"\1", plain.group(1))
    base = re.split(r"[/\\]", name or "")[-1]
    if name_fault(base) is None:
        return base
    ending = re.search(r"[^.](\.\w{1,16})\Z", base, re.ASCII)
    return f"document{ending.group(1)}" if ending else "document"


def _decoded(text: str) -> str | None:
    """Decodes a percent-encoded name; returns None if it is not UTF-8, so that the plain name is used."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None
