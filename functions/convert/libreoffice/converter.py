"""Converts documents within LibreOffice's own process, one at a time.

host.py has LibreOffice load this file as a UNO component, with the modules beside it. Calls between two processes take
a tenth of a millisecond each, and a document takes dozens of them; here they are calls of functions.
"""

import json
import os
import sys
import threading
import time

import uno
import unohelper
from com.sun.star.beans import NamedValue
from com.sun.star.awt import XCallback
from com.sun.star.task import XJob

sys.path.append(os.path.dirname(__file__))

from columns import too_wide  # noqa: E402
from contents import update_contents  # noqa: E402
from pages import turn_to_landscape  # noqa: E402
from sheets import calculate  # noqa: E402
from slides import cut_off, hidden_slides, mend_links  # noqa: E402
from values import properties  # noqa: E402

# The folder of a document, in which LibreOffice then works, by a path without names: fields, formulas and relative links
# that show it show this, whatever the folder is called.
AS_SEEN = "/proc/self/cwd"

# Seconds. A document that took longer is closed before the answer: its memory is free when the engine measures it.
CLOSED_AFTERWARDS = 1


def as_seen(path):
    """Returns the address of a file in the working folder, as the document may show it."""
    return uno.systemPathToFileUrl(os.path.join(AS_SEEN, os.path.basename(path)))


class Converter(unohelper.Base, XJob):
    """Takes orders and answers as lines of JSON, as long as there are orders."""

    def __init__(self, context):
        services = context.ServiceManager
        self.desktop = services.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.frames = services.createInstanceWithContext("com.sun.star.frame.TaskCreator", context)
        self.main_thread = services.createInstanceWithContext("com.sun.star.awt.AsyncCallback", context)
        self.frame = self.new_frame()
        self.document = None

    def execute(self, arguments):
        """Runs until the orders end. `arguments`: the file descriptors of the orders and of the answers."""
        orders, answers = (argument.Value for argument in arguments)
        with os.fdopen(orders) as lines, os.fdopen(answers, "w") as replies:
            for line in lines:
                work = Work(lambda line=line: self.serve(json.loads(line), replies))
                # In another thread, documents with comments end LibreOffice 7.4 while it lays them out.
                self.main_thread.addCallback(work, None)
                work.wait()

    def serve(self, order, replies):
        """Carries out an order and answers it."""
        started = time.monotonic()
        answer = self.convert(order)
        if time.monotonic() - started > CLOSED_AFTERWARDS:
            self.close()
        replies.write(json.dumps(answer) + "\n")
        replies.flush()
        self.close()

    def convert(self, order):
        """Returns the fields of the answer. `at` is the step at which a conversion failed: load or store, or hidden."""
        at = "load"
        try:
            self.load(order)
            if self.document is None:
                return {"ok": False, "at": at, "message": "nothing was loaded"}
            if not order.get("keepsIndexes") and not update_contents(self.document, order["input"]):
                self.close()
                self.load(order)
            if order["input"].endswith(".pptx"):
                mend_links(self.document)
            is_printed = order["store"]["FilterName"].endswith("_pdf_Export")
            warnings = calculate(self.document, order["input"], is_printed)
            hidden = hidden_slides(self.document) if is_printed and not order.get("keepsHidden") else []
            at = "store"
            if hidden and len(hidden) == self.document.DrawPages.Count:
                return {"ok": False, "at": "hidden", "message": "all slides are hidden"}
            if hidden and order["store"]["FilterData"]["ExportNotesPages"]:
                # The pages of notes follow those of all slides.
                hidden += [self.document.DrawPages.Count + number for number in hidden]
            title = order.get("title")
            if title:
                about = self.document.DocumentProperties
                if not about.Title.strip():
                    about.Title = title
            self.document.storeToURL(as_seen(order["output"]), properties(order["store"]))
            narrow = []
            if is_printed:
                warnings += cut_off(self.document, hidden)
                narrow = too_wide(self.document, order["output"])
            return {"ok": True, "warnings": warnings, "hidden": hidden, "narrow": narrow}
        except Exception as error:
            if self.document is None:
                # What a failed attempt left in the frame, or whether it closed it, is not documented.
                self.frame.dispose()
                self.frame = self.new_frame()
            return {"ok": False, "at": at, "message": "%s: %s" % (type(error).__name__, error)}

    def load(self, order):
        # 0 and 0: no macros (MacroExecMode.NEVER_EXECUTE), no update of links (UpdateDocMode.NO_UPDATE).
        # The widths of columns are only measured in documents that may be changed.
        is_fixed = not order["store"]["FilterName"].startswith("calc_")
        values = {"Hidden": True, "ReadOnly": is_fixed, "MacroExecutionMode": 0, "UpdateDocMode": 0, **order["load"]}
        os.chdir(os.path.dirname(order["input"]))
        url = as_seen(order["input"])
        self.document = self.frame.loadComponentFromURL(url, "_self", 0, properties(values))
        if self.document is not None and order.get("landscape"):
            turn_to_landscape(self.document)

    def new_frame(self):
        """Returns a frame like that of the target "_blank", but without a layout manager.

        That arranges menus and toolbars around a document, and creating it takes a sixth of the time of a letter.
        """
        frame = self.frames.createInstanceWithArguments(
            (
                NamedValue("ParentFrame", self.desktop),
                NamedValue("TopWindow", True),
                NamedValue("MakeVisible", False),
                NamedValue("SupportPersistentWindowState", False),
            )
        )
        frame.LayoutManager = None
        return frame

    def close(self):
        """Closes the document and leaves its frame empty."""
        document, self.document = self.document, None
        if document is None:
            return
        try:
            # The frame would be closed with the document that it shows.
            self.frame.setComponent(None, None)
        finally:
            document.close(True)


class Work(unohelper.Base, XCallback):
    """Something to be done in another thread, and its outcome."""

    def __init__(self, action):
        self.action = action
        self.done = threading.Event()
        self.error = None

    def notify(self, _data):
        try:
            self.action()
        except BaseException as error:
            # LibreOffice would drop it.
            self.error = error
        finally:
            self.done.set()

    def wait(self):
        """Waits until it is done. Raises the error with which it ended."""
        self.done.wait()
        if self.error is not None:
            raise self.error


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Converter, "platen.Converter", ())
