"""Converts documents within LibreOffice's own process, one at a time.

host.py has LibreOffice load this file as a UNO component. Calls between two processes take a tenth of a millisecond
each, and a document takes dozens of them; here they are calls of functions.
"""

import json
import os
import re
import threading
import time
import zipfile
from xml.etree import ElementTree

import uno
import unohelper
from com.sun.star.beans import NamedValue, PropertyValue
from com.sun.star.awt import XCallback
from com.sun.star.task import XJob

# The folder of a document, in which LibreOffice then works, by a path without names: fields, formulas and relative links
# that show it show this, whatever the folder is called.
AS_SEEN = "/proc/self/cwd"

# Seconds. A document that took longer is closed before the answer: its memory is free when the engine measures it.
CLOSED_AFTERWARDS = 1


def properties(values):
    return tuple(PropertyValue(name, 0, prepared(value), 0) for name, value in values.items())


def prepared(value):
    if isinstance(value, dict):
        return uno.Any("[]com.sun.star.beans.PropertyValue", properties(value))
    return value


def as_seen(path):
    """Returns the address of a file in the working folder, as the document may show it."""
    return uno.systemPathToFileUrl(os.path.join(AS_SEEN, os.path.basename(path)))


def letters(text):
    return re.sub(r"[\W\d_]+", "", text).casefold()


def update_contents(document):
    """Updates the entries and page numbers of tables of contents.

    Returns False if one has lost an entry whose text is still there: LibreOffice does not support everything from which
    Word can make a table of contents.
    """
    if not document.supportsService("com.sun.star.text.TextDocument"):
        return True
    indexes = document.DocumentIndexes
    for i in range(indexes.Count):
        index = indexes.getByIndex(i)
        if not index.supportsService("com.sun.star.text.ContentIndex"):
            continue
        before = {letters(line) for line in index.Anchor.String.splitlines()}
        if letters(index.Title) not in before:
            # Without this, LibreOffice would add a title of its own.
            index.Title = ""
        index.update()
        lost = before - {letters(line) for line in index.Anchor.String.splitlines()} - {""}
        if lost:
            text = letters(document.Text.String)
            if any(line in text for line in lost):
                return False
    return True


# com.sun.star.sheet.FormulaResult.ERROR
ERROR = 4

# The errors of values, which every program shows: #NUM!, #VALUE!, #REF!, #DIV/0!, #N/A. Others mean that LibreOffice
# cannot calculate a formula.
ERRORS_OF_VALUES = {0, 502, 503, 519, 524, 532, 32767}

# Most cells with an error and hidden rows that are examined, and most cells that a warning names.
MOST_ERRORS = 2000
MOST_HIDDEN = 10000
MOST_NAMED = 8

# The content types of workbooks, templates and those with macros.
MAIN_TYPE = re.compile(r"[.-](?:sheet|template)(?:\.macroEnabled)?\.main\+xml$")

ZERO = ("n", "0")


def calculate(document, path, is_printed):
    """Calculates what has no valid value in a spreadsheet. In print, a saved value takes the place of an error.

    Returns sentences about cells whose formulas LibreOffice cannot calculate.
    """
    if not document.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
        return []
    unfilter_rows(document)
    saved = SavedValues(path)
    if saved.are_outdated:
        document.calculateAll()
    kept = [name_of(cell) for cell in cells_with_errors(document) if is_printed and restore(cell, saved)]
    failed = [name_of(cell) for cell in cells_with_errors(document) if cell.getError() not in ERRORS_OF_VALUES]
    sentences = []
    if kept:
        sentences.append("LibreOffice cannot calculate %s: shown is the value saved in the file." % listed(kept))
    if failed:
        sentences.append("LibreOffice cannot calculate %s." % listed(failed))
    return sentences


def unfilter_rows(document):
    """Separates rows that someone hid from those that a filter hides: SUBTOTAL counts the first ones.

    LibreOffice takes each hidden row of a range with filter buttons for filtered.
    """
    ranges = document.DatabaseRanges
    for name in ranges.ElementNames:
        one = ranges.getByName(name)
        if one.FilterDescriptor.FilterFields:
            continue
        area = one.DataArea
        sheet = document.Sheets.getByIndex(area.Sheet)
        cells = sheet.getCellRangeByPosition(area.StartColumn, area.StartRow, area.StartColumn, area.EndRow)
        hidden = set(range(area.StartRow, area.EndRow + 1))
        for seen in cells.queryVisibleCells().RangeAddresses:
            hidden.difference_update(range(seen.StartRow, seen.EndRow + 1))
        for row in sorted(hidden)[:MOST_HIDDEN]:
            line = sheet.Rows.getByIndex(row)
            if line.IsFiltered:
                line.IsFiltered = False
                line.IsVisible = False


def listed(names, what="cells"):
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (" and %d more %s" % (more, what) if more > 0 else "")


def name_of(cell):
    return cell.AbsoluteName.replace("$", "", 1).replace("$", "").replace(".", "!", 1)


def cells_with_errors(document):
    found: list = []
    for sheet in document.Sheets:
        cells = sheet.queryFormulaCells(ERROR).Cells.createEnumeration()
        while cells.hasMoreElements() and len(found) < MOST_ERRORS:
            found.append(cells.nextElement())
    return found


def restore(cell, saved):
    """Replaces a formula with an error by its saved value. Returns False if there is none."""
    if cell.getError() == 0:
        # What it depends on has been restored since.
        return False
    sheet = cell.Spreadsheet
    cursor = sheet.createCursorByRange(cell)
    cursor.collapseToCurrentArray()
    area = cursor.RangeAddress
    addresses = [
        (column, row)
        for row in range(area.StartRow, area.EndRow + 1)
        for column in range(area.StartColumn, area.EndColumn + 1)
    ]
    values = saved.of(sheet.Name, addresses)
    at = (cell.CellAddress.Column, cell.CellAddress.Row)
    if at not in values:
        return False
    if len(addresses) > 1:
        cursor.ArrayFormula = ""
    for (column, row), (kind, text) in values.items():
        target = sheet.getCellByPosition(column, row)
        if kind == "b":
            target.setFormula("=TRUE()" if text == "1" else "=FALSE()")
        elif kind == "n":
            target.setValue(float(text))
        else:
            target.String = text
    return True


class SavedValues:
    """The values of formulas that are saved in a workbook of Excel; none for other files."""

    def __init__(self, path):
        # The paths of the sheets by name, and the values of those that have been read.
        self.paths = {}
        self.values = {}
        # Programs that do not calculate ask for it, and save a zero or nothing.
        self.are_outdated = False
        if not zipfile.is_zipfile(path):
            return
        self.package = zipfile.ZipFile(path)
        if "[Content_Types].xml" not in self.package.namelist():
            return
        types = self.root("[Content_Types].xml")
        books = [one.get("PartName") for one in types if MAIN_TYPE.search(one.get("ContentType", ""))]
        if not books:
            return
        folder, name = os.path.split(books[0])
        related = self.root(os.path.join(folder, "_rels", name + ".rels"))
        targets = {one.get("Id"): os.path.join(folder, one.get("Target", "")) for one in related}
        for one in self.root(books[0]).iter():
            tag = one.tag.rpartition("}")[2]
            if tag == "calcPr":
                self.are_outdated = one.get("fullCalcOnLoad") in ("1", "true")
            elif tag == "sheet":
                ids = [value for key, value in one.attrib.items() if key.endswith("}id")]
                self.paths[one.get("name")] = targets.get(ids[0] if ids else None)

    def root(self, path):
        return ElementTree.fromstring(self.package.read(os.path.normpath(path).lstrip("/")))

    def of(self, sheet, addresses):
        """Returns kind ("n", "b", "str") and text of the saved values of cells, by column and row from 0."""
        path = self.paths.get(sheet)
        if path is None:
            return {}
        if sheet not in self.values:
            with self.package.open(os.path.normpath(path).lstrip("/")) as part:
                self.values[sheet] = values_in(part)
        known = self.values[sheet]
        # Where all are to be calculated, a zero is no value.
        return {at: known[at] for at in addresses if at in known and not (self.are_outdated and known[at] == ZERO)}


def values_in(part):
    """Returns the values of the cells of a sheet's part that are not errors."""
    values = {}
    for _, element in ElementTree.iterparse(part):
        name = element.tag.rpartition("}")[2]
        if name == "c":
            match = re.fullmatch(r"([A-Z]+)(\d+)", element.get("r", ""))
            text = next((child.text for child in element if child.tag.endswith("}v")), None)
            kind = element.get("t", "n")
            if match and text and kind in ("n", "b", "str"):
                values[(column_of(match[1]), int(match[2]) - 1)] = (kind, text)
        elif name == "row":
            element.clear()
    return values


def column_of(letters):
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def hidden_slides(document):
    """Returns the numbers of the hidden slides of a presentation, from 1."""
    if not document.supportsService("com.sun.star.presentation.PresentationDocument"):
        return []
    pages = document.DrawPages
    return [i + 1 for i in range(pages.Count) if not pages.getByIndex(i).Visible]


# Hundredths of a millimetre by which content may reach beyond its slide.
TOLERANCE = 100

# Most shapes of a presentation whose text is measured.
MOST_SHAPES = 5000


def cut_off(document, hidden):
    """Returns sentences about tables and texts that are longer than their slide: LibreOffice leaves out what is below.

    Changes the shapes, so that the document can only be closed afterwards.
    """
    if not document.supportsService("com.sun.star.presentation.PresentationDocument"):
        return []
    tables: list = []
    texts: list = []
    left = MOST_SHAPES
    for i in range(document.DrawPages.Count):
        if i + 1 in hidden:
            continue
        page = document.DrawPages.getByIndex(i)
        for shape in shapes_in(page):
            left -= 1
            if left < 0:
                break
            if shape.ShapeType == "com.sun.star.drawing.TableShape":
                if shape.Position.Y + shape.Size.Height > page.Height + TOLERANCE:
                    tables.append("slide %d%s" % (i + 1, first_row_below(shape, page.Height)))
            elif is_text_longer(shape, page.Height):
                texts.append("slide %d, %s" % (i + 1, json.dumps(shape.String.strip().split("\n")[0][:30], ensure_ascii=False)))
    sentences = []
    if tables:
        sentences.append("Tables are longer than their slide, and cut off: %s." % listed(tables, "tables"))
    if texts:
        sentences.append("Text is longer than its slide, and cut off: %s." % listed(texts, "texts"))
    return sentences


def shapes_in(shapes):
    for i in range(shapes.Count):
        shape = shapes.getByIndex(i)
        if shape.ShapeType == "com.sun.star.drawing.GroupShape":
            yield from shapes_in(shape)
        else:
            yield shape


def first_row_below(table, height):
    """Returns words for the first row of a table that is not within a height, or nothing if its rows have grown."""
    rows = table.Model.Rows
    bottom = table.Position.Y
    for i in range(rows.Count):
        bottom += rows.getByIndex(i).Height
        if bottom > height + TOLERANCE:
            return " from row %d of %d" % (i + 1, rows.Count)
    return ""


def is_text_longer(shape, height):
    """Returns whether the text of a shape on a slide of that height reaches beyond the slide, which the shape does not."""
    names = shape.PropertySetInfo
    if not all(names.hasPropertyByName(name) for name in ("TextAutoGrowHeight", "TextFitToSize", "RotateAngle")):
        return False
    if not shape.String.strip() or shape.RotateAngle or shape.TextFitToSize.value != "NONE":
        return False
    if names.hasPropertyByName("IsEmptyPresentationObject") and shape.IsEmptyPresentationObject:
        return False
    top, bottom = shape.Position.Y, shape.Position.Y + shape.Size.Height
    if shape.TextAutoGrowHeight:
        is_within = top < height and bottom > 0
        return is_within and (bottom > height + TOLERANCE or top + shape.TextUpperDistance < -TOLERANCE)
    if top < -TOLERANCE or bottom > height + TOLERANCE:
        # It was meant to reach beyond.
        return False
    if names.hasPropertyByName("TextMinimumFrameHeight"):
        # Placeholders of text keep that of another layout.
        shape.TextMinimumFrameHeight = 0
    shape.TextAutoGrowHeight = True
    return shape.Position.Y < -TOLERANCE or shape.Position.Y + shape.Size.Height > height + TOLERANCE


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
            if not update_contents(self.document):
                self.close()
                self.load(order)
            is_printed = order["store"]["FilterName"].endswith("_pdf_Export")
            warnings = calculate(self.document, order["input"], is_printed)
            hidden = hidden_slides(self.document) if is_printed else []
            at = "store"
            if hidden and len(hidden) == self.document.DrawPages.Count:
                return {"ok": False, "at": "hidden", "message": "all slides are hidden"}
            title = order.get("title")
            if title:
                about = self.document.DocumentProperties
                if not about.Title.strip():
                    about.Title = title
            self.document.storeToURL(as_seen(order["output"]), properties(order["store"]))
            if is_printed:
                warnings += cut_off(self.document, hidden)
            return {"ok": True, "warnings": warnings, "hidden": hidden}
        except Exception as error:
            if self.document is None:
                # What a failed attempt left in the frame, or whether it closed it, is not documented.
                self.frame.dispose()
                self.frame = self.new_frame()
            return {"ok": False, "at": at, "message": "%s: %s" % (type(error).__name__, error)}

    def load(self, order):
        # 0 and 0: no macros (MacroExecMode.NEVER_EXECUTE), no update of links (UpdateDocMode.NO_UPDATE).
        values = {"Hidden": True, "ReadOnly": True, "MacroExecutionMode": 0, "UpdateDocMode": 0, **order["load"]}
        os.chdir(os.path.dirname(order["input"]))
        url = as_seen(order["input"])
        self.document = self.frame.loadComponentFromURL(url, "_self", 0, properties(values))

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
