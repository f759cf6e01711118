"""Generates the synchronous module from the asynchronous one; with --check reports whether it is current."""

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "src/platen"
WORDS = [
    (r"for asyncio\. The synchronous module beside this one is made from it by make_sync\.py\.", "made from _async.py by make_sync.py."),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Iterator|Platen|Document|Job)\b", r"\1"),
    (r"httpx\.Async(Client|BaseTransport)", r"httpx.\1"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\ba(close|read|iter_bytes)\b", r"\1"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"^import asyncio\nimport os\n", "import os\nimport time\n"),
]

made = (FOLDER / "_async.py").read_text()
for pattern, replacement in WORDS:
    made = re.sub(pattern, replacement, made, flags=re.MULTILINE)
target = FOLDER / "_sync.py"
if "--check" in sys.argv:
    sys.exit(0 if target.read_text() == made else "_sync.py is not current: run make_sync.py")
target.write_text(made)
