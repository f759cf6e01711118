"""Calculates spreadsheets."""

import os
import re
import zipfile
from xml.etree import ElementTree

from values import listed

# com.sun.star.sheet.FormulaResult.ERROR
ERROR = 4

# The errors of values, which every program shows: #NUM!, #VALUE!, #REF!, #DIV/0!, #N/A. Others mean that LibreOffice
# cannot calculate a formula.
ERRORS_OF_VALUES = {0, 502, 503, 519, 524, 532, 32767}

# Most cells with an error and hidden rows that are examined.
MOST_ERRORS = 2000
MOST_HIDDEN = 10000

# The relationship of a package to its main part, in both forms of the format.
MAIN_PART = "/officeDocument"

ZERO = ("n", "0")


def calculate(document, path, is_printed):
    """Calculates what has no valid value in a spreadsheet. In print, a saved value takes the place of an error.

    Returns sentences about cells whose formulas LibreOffice cannot calculate, or whose links are lost in print.
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
    inner = [name_of(cell) for cell in inner_links(document, path)] if is_printed else []
    if inner:
        sentences.append("Links of HYPERLINK into the workbook lead nowhere in the PDF: %s." % listed(inner))
    return sentences


def inner_links(document, path):
    """Returns cells whose formulas link into the workbook: LibreOffice exports such links without a target."""
    with open(path, "rb") as file:
        # The parts are not compressed.
        if not re.search(rb'HYPERLINK\((?:"|&quot;)#', file.read()):
            return []
    found: list = []
    for sheet in document.Sheets:
        search = sheet.createSearchDescriptor()
        search.SearchString = 'HYPERLINK("#'
        # Formulas, not values.
        search.SearchType = 0
        ranges = sheet.findAll(search)
        cells = ranges.Cells.createEnumeration() if ranges is not None else None
        while cells is not None and cells.hasMoreElements() and len(found) < MOST_ERRORS:
            cell = cells.nextElement()
            # Texts of cells are searched as well.
            found += [cell] if cell.Type.value == "FORMULA" else []
    return found


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
        for row in hidden_rows(cells):
            line = sheet.Rows.getByIndex(row)
            if line.IsFiltered:
                line.IsFiltered = False
                line.IsVisible = False


def hidden_rows(cells):
    """Returns the numbers of the rows of a range that are hidden, from 0: the first ones of many."""
    area = cells.RangeAddress
    hidden = set(range(area.StartRow, area.EndRow + 1))
    for seen in cells.queryVisibleCells().RangeAddresses:
        hidden.difference_update(range(seen.StartRow, seen.EndRow + 1))
    return sorted(hidden)[:MOST_HIDDEN]


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
        roots = [one for one in self.root("_rels/.rels") if one.get("Type", "").endswith(MAIN_PART)]
        if not roots:
            return
        book = roots[0].get("Target", "").lstrip("/")
        folder, name = os.path.split(book)
        related = self.root(os.path.join(folder, "_rels", name + ".rels"))
        targets = {one.get("Id"): os.path.join(folder, one.get("Target", "")) for one in related}
        for one in self.root(book).iter():
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
