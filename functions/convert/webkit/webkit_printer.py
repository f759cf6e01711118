"""Prints documents with WebKitGTK. process.ts describes the orders."""

import json
import os
import sys
import urllib.parse
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("Soup", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gdk, Gio, GLib, Gtk, Soup, WebKit2  # noqa: E402

from confine import state  # noqa: E402

SCHEME = "platen"

# A document loads only the resources of its order, and content that an address itself contains.
RULES = [{"trigger": {"url-filter": ".*"}, "action": {"type": "block"}}] + [
    {"trigger": {"url-filter": "^%s:" % scheme}, "action": {"type": "ignore-previous-rules"}}
    for scheme in (SCHEME, "data", "about", "blob")
]

SETTINGS = {
    "enable-webgl": False,
    "enable-media": False,
    "enable-webaudio": False,
    "enable-page-cache": False,
    "javascript-can-open-windows-automatically": False,
    "allow-modal-dialogs": False,
    "hardware-acceleration-policy": WebKit2.HardwareAccelerationPolicy.NEVER,
}

# Workers that outlive their document are useless here. After a document with a shared worker, WebKit waits three
# seconds each time that it removes a document's stored data, which would delay every later document.
FEATURES_OFF = ("ServiceWorkers", "SharedWorker")

MILLIMETRES = Gtk.Unit.MM

# A document must unload within this number of periods, in milliseconds. Lambda may freeze this process meanwhile, which
# counts as one period.
LEAVE_PERIODS = 10
LEAVE_PERIOD_MS = 200

# Milliseconds between two checks of WebKit's network process. WebKit replaces a dead one, but requests that the old one
# had begun may never end, and no signal reports its death.
WATCH_MS = 250
NETWORK_PROCESS = "WebKitNetworkPr"


def is_network_process(pid):
    """Returns whether a process is WebKit's network process, a child of this process, and has not ended."""
    try:
        with open("/proc/%s/stat" % pid, encoding="latin-1") as file:
            program, rest = file.read().rsplit(")", 1)
    except OSError:
        return False
    state, parent = rest.split()[:2]
    return program.endswith("(" + NETWORK_PROCESS) and int(parent) == os.getpid() and state != "Z"


def find_network_process():
    """Returns the id of WebKit's network process; None if WebKit has not started one yet."""
    return next((pid for pid in os.listdir("/proc") if pid.isdigit() and is_network_process(pid)), None)


class Printer:
    def __init__(self, answers):
        self.answers = answers
        self.order: Any = None
        self.sheet: Any = None
        self.operation: Any = None
        self.starts = 0
        # Whether the document has asked for its sheet.
        self.asked = False
        # The result of the last script that has not been answered: it prepared the document, or arranged it for its sheet.
        self.found = ""
        self.view: Any = None
        self.owner: Any = None
        self.leaving = False
        # The periods in which the document has not unloaded.
        self.periods = 0
        self.network: Any = None
        self.spare: Any = None
        # While the spare view loads its empty document: the id of its signal handler, and the order that waits for it.
        self.spare_loading: Any = None
        self.waiting: Any = None
        self.filter: Any = None
        # With hinting, letters would have the width of whole pixels.
        screen = {"dpi": 96 * 1024, "hinting": 0, "hintstyle": "hintnone", "antialias": 1, "rgba": "none"}
        for name, value in screen.items():
            Gtk.Settings.get_default().set_property("gtk-xft-" + name, value)
        self.data = WebKit2.WebsiteDataManager.new_ephemeral()
        # A proxy that leads nowhere, in addition to the filter in confine.py: WebKit does not even resolve names.
        nowhere = WebKit2.NetworkProxySettings.new("http://127.0.0.1:9", None)
        self.data.set_network_proxy_settings(WebKit2.NetworkProxyMode.CUSTOM, nowhere)
        self.context = WebKit2.WebContext.new_with_website_data_manager(self.data)
        self.context.set_cache_model(WebKit2.CacheModel.DOCUMENT_VIEWER)
        # WebKit would make "C" of the locale, which is no language tag (BCP 47).
        self.context.set_preferred_languages(["en-US"])
        self.context.connect("download-started", lambda _, download: download.cancel())
        self.context.register_uri_scheme(SCHEME, self.serve)
        security = self.context.get_security_manager()
        security.register_uri_scheme_as_secure(SCHEME)
        security.register_uri_scheme_as_cors_enabled(SCHEME)
        store = WebKit2.UserContentFilterStore.new(os.path.abspath("filters"))
        rules = GLib.Bytes.new(json.dumps(RULES).encode())
        store.save("rules", rules, None, self.saved)

    def saved(self, store, result):
        self.filter = store.save_finish(result)
        self.prepare_spare()
        self.answer(ready=True, pid=os.getpid(), confinement=state)
        self.rest = b""
        GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, self.listen)

    def answer(self, **fields):
        self.answers.write(json.dumps(fields) + "\n")
        self.answers.flush()

    def listen(self, *_):
        data = os.read(0, 1 << 20)
        if not data:
            Gtk.main_quit()
            return False
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.take(json.loads(line))
        return True

    # All documents of one owner share a view, and so a process; each owner has another one. Starting a process takes
    # longer than printing a letter, so a spare one is always ready.

    def prepare_spare(self):
        content = WebKit2.UserContentManager()
        content.add_filter(self.filter)
        settings = WebKit2.Settings()
        for name, value in SETTINGS.items():
            settings.set_property(name, value)
        features = WebKit2.Settings.get_all_features()
        for feature in map(features.get, range(features.get_length())):
            if feature.get_identifier() in FEATURES_OFF:
                settings.set_feature_enabled(feature, False)
        view = WebKit2.WebView(web_context=self.context, user_content_manager=content, settings=settings)
        window = Gtk.OffscreenWindow()
        window.add(view)
        window.show_all()
        view.connect("web-process-terminated", self.crashed)
        self.spare_loading = view.connect("load-changed", self.spare_changed)
        view.load_html("", "about:blank")
        self.spare = view

    def spare_changed(self, view, event):
        if event == WebKit2.LoadEvent.FINISHED:
            view.disconnect(self.spare_loading)
            self.spare_loading = None
            # WebKit must not change views inside this signal.
            GLib.idle_add(self.take_waiting)

    def take_waiting(self):
        if self.waiting is not None:
            order, self.waiting = self.waiting, None
            self.take(order)
        return False

    def take_view(self):
        self.view = self.spare
        self.spare = None
        connect = self.view.connect
        connect("load-changed", self.load_changed)
        connect("load-failed", lambda *_: True)
        connect("decide-policy", self.decide)
        connect("permission-request", lambda _, request: request.deny() or True)
        connect("script-dialog", self.refuse)
        for question in ("print", "enter-fullscreen", "run-file-chooser"):
            connect(question, lambda *_: True)

    def refuse(self, _, dialog):
        """Closes dialogs, as nobody can answer them, and lets the document unload even if it asks to stay."""
        if dialog.get_dialog_type() == WebKit2.ScriptDialogType.BEFORE_UNLOAD_CONFIRM:
            dialog.confirm_set_confirmed(True)
        return True

    def drop_view(self):
        if self.view is not None:
            self.view.get_toplevel().destroy()
            self.view = None

    def take(self, order):
        if "html" not in order:
            self.go_on(order)
            return
        if self.view is None or order["owner"] != self.owner:
            if self.spare_loading is not None:
                self.waiting = order
                return
            self.drop_view()
            self.take_view()
            self.owner = order["owner"]
        self.order = order
        if self.network is None or not is_network_process(self.network):
            self.network = find_network_process()
        GLib.timeout_add(WATCH_MS, self.watch, order)
        settings = self.view.get_settings()
        settings.set_print_backgrounds(order["backgrounds"])
        for generic, family in order["generic"].items():
            settings.set_property(generic + "-font-family", family)
        content = self.view.get_user_content_manager()
        content.remove_all_style_sheets()
        frames, level = WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserStyleLevel.USER
        content.add_style_sheet(WebKit2.UserStyleSheet.new(order["style"], frames, level, None, None))
        content.remove_all_scripts()
        all_frames, start = WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START
        content.add_script(WebKit2.UserScript.new(order["script"], all_frames, start, None, None))
        self.view.set_background_color(Gdk.RGBA(1, 1, 1, 0 if order["transparent"] else 1))
        self.view.set_size_request(order["room"]["width"], order["room"]["height"])
        # Applied immediately, because the document measures its viewport while it loads.
        self.view.get_toplevel().check_resize()
        self.starts = 0
        self.loaded = False
        self.asked = False
        self.found = ""
        self.leaving = False
        with open(order["html"], encoding="utf-8") as file:
            self.view.load_html(file.read(), order["address"])

    def serve(self, request):
        address = urllib.parse.urldefrag(request.get_uri()).url
        resource = self.order["resources"].get(address) if self.order else None
        if resource is None:
            request.finish_error(GLib.Error("not handed over", "platen", 404))
            return
        size = os.path.getsize(resource["file"])
        stream = Gio.File.new_for_path(resource["file"]).read(None)
        response = WebKit2.URISchemeResponse.new(stream, size)
        response.set_content_type(resource["type"])
        headers = Soup.MessageHeaders.new(Soup.MessageHeadersType.RESPONSE)
        headers.append("Access-Control-Allow-Origin", "*")
        headers.append("Content-Type", resource["type"])
        response.set_http_headers(headers)
        request.finish_with_response(response)

    def decide(self, view, decision, kind):
        """Allows the document and its frames to load; refuses every other navigation."""
        if kind == WebKit2.PolicyDecisionType.RESPONSE:
            return False
        address = decision.get_navigation_action().get_request().get_uri()
        inside = address.split(":", 1)[0] in (SCHEME, "data", "about", "blob")
        is_document = address.split("#", 1)[0] == self.order["address"] and not self.leaving
        first = is_document and self.starts == 0
        if kind == WebKit2.PolicyDecisionType.NAVIGATION_ACTION and (first or (inside and not is_document)):
            return False
        decision.ignore()
        return True

    def load_changed(self, view, event):
        if event == WebKit2.LoadEvent.STARTED:
            self.starts += 1
            if self.starts > 1:
                view.stop_loading()
        if event != WebKit2.LoadEvent.FINISHED or self.loaded:
            return
        self.loaded = True
        if self.leaving:
            self.forget()
        else:
            # WebKitGTK reports an error if a script returns no value.
            settle = "const found = await (async () => {%s})();\nreturn found ?? '';" % self.order["settle"]
            view.call_async_javascript_function(settle, -1, None, None, None, None, self.settled, self.order)

    def settled(self, view, result, order):
        found = ""
        try:
            found = view.call_async_javascript_function_finish(result).to_string()
        except GLib.Error as error:
            # The document's scripts may have caused this error; the document is printed unchanged.
            print("settle:", error.message, file=sys.stderr)
        # The callback may run again, or late, for a document that was left.
        if order is not self.order or self.leaving or self.operation is not None or self.asked:
            return
        if order["asks"]:
            self.asked = True
            self.answer(ok=True, found=found or "null")
        else:
            self.found = found
            self.print_view()

    def go_on(self, order):
        """Prints the loaded document on the sheet of a further order."""
        self.order.update(order)
        self.view.set_size_request(order["room"]["width"], order["room"]["height"])
        self.view.get_toplevel().check_resize()
        if "arrange" not in order:
            self.print_view()
            return
        arrange = "const found = await (async () => {%s})();\nreturn found ?? '';" % order["arrange"]
        self.view.call_async_javascript_function(arrange, -1, None, None, None, None, self.arranged, self.order)

    def arranged(self, view, result, order):
        try:
            self.found = view.call_async_javascript_function_finish(result).to_string()
        except GLib.Error as error:
            print("arrange:", error.message, file=sys.stderr)
        # The callback may run late, for a document that was left.
        if order is self.order and not self.leaving and self.operation is None:
            self.print_view()

    def print_view(self):
        sheet = self.order["sheet"]
        settings = Gtk.PrintSettings()
        settings.set_printer("Print to File")
        settings.set("output-uri", GLib.filename_to_uri(self.order["output"], None))
        settings.set("output-file-format", "pdf")
        page = Gtk.PageSetup()
        size = Gtk.PaperSize.new_custom("sheet", "sheet", sheet["width"], sheet["height"], MILLIMETRES)
        page.set_paper_size(size)
        page.set_top_margin(sheet["top"], MILLIMETRES)
        page.set_right_margin(sheet["right"], MILLIMETRES)
        page.set_bottom_margin(sheet["bottom"], MILLIMETRES)
        page.set_left_margin(sheet["left"], MILLIMETRES)
        failures = []
        operation = WebKit2.PrintOperation.new(self.view)
        operation.set_print_settings(settings)
        operation.set_page_setup(page)
        operation.connect("failed", lambda _, error: failures.append(error.message))
        # WebKit's operation must not be released inside its own signal.
        operation.connect("finished", lambda _: GLib.idle_add(self.printed, operation, failures))
        self.operation = operation
        operation.print_()

    def printed(self, operation, failures):
        # A failed operation finishes twice.
        if operation is not self.operation:
            return False
        self.operation = None
        outcome: dict[str, object] = {"ok": False, "message": failures[0]} if failures else {"ok": True}
        if self.found:
            outcome["found"] = self.found
        if self.order["keep"]:
            self.answer(**outcome)
            return False
        # The PDF is complete now. Another answer reports that the document was unloaded.
        self.answer(leaves=True, **outcome)
        self.leaving = True
        self.starts = 0
        self.loaded = False
        self.view.load_html("", "about:blank")
        self.periods = 0
        GLib.timeout_add(LEAVE_PERIOD_MS, self.force, self.order)
        return False

    def force(self, order):
        """Ends the process of a document that does not unload."""
        if order is not self.order or self.loaded:
            return False
        self.periods += 1
        if self.periods < LEAVE_PERIODS:
            return True
        self.loaded = True
        self.view.terminate_web_process()
        self.drop_view()
        self.forget()
        return False

    def forget(self):
        """Deletes all data that the document stored, so that the next one finds none."""
        self.data.clear(WebKit2.WebsiteDataTypes.ALL, 0, None, self.left)

    def left(self, data, result):
        data.clear_finish(result)
        self.leaving, self.order = False, None
        self.answer(left=True)
        if self.spare is None:
            self.prepare_spare()

    def watch(self, order):
        if order is not self.order:
            return False
        if self.network is None:
            self.network = find_network_process()
        elif not is_network_process(self.network):
            end("the process that loads for WebKit has ended")
        return True

    def crashed(self, _, reason):
        if reason != WebKit2.WebProcessTerminationReason.TERMINATED_BY_API:
            end("the process of the document has ended: " + reason.value_nick)


def end(why):
    """Ends this process; the caller retries the document with a new one."""
    print(why, file=sys.stderr)
    sys.stderr.flush()
    os._exit(70)


def fail(*fault):
    """Ends the process on an error in a callback, which GLib would only print, and the order would get no answer."""
    sys.__excepthook__(*fault)
    sys.stderr.flush()
    os._exit(70)


def run(answers):
    sys.excepthook = fail
    printer = Printer(answers)
    Gtk.main()
    del printer
