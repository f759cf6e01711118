"""Finds numbers that are wider than their columns: LibreOffice prints ### in their places."""

import re
import zlib
from itertools import islice

from com.sun.star.lang import Locale
from com.sun.star.sheet.CellFlags import DATETIME, FORMULA, STRING, VALUE

from sheets import hidden_rows, name_of

NUMBERS = VALUE | DATETIME | FORMULA

# com.sun.star.sheet.FormulaResult: STRING and ERROR
NO_NUMBERS = 2 | 4

# Hundredths of a millimetre by which the best width of a column is larger than one that shows its numbers: of numbers
# that were printed as ###, no column lacked less than 3.3 mm, and from 4.3 mm on all were.
LEAST = 250
SURE = 430

# The shortest forms of a number without a format, which LibreOffice shortens as its column demands.
SHORTEST = ("0", "0E+00")

# A compressed stream, as LibreOffice writes that of a CMap.
STREAM = re.compile(rb"\n(\d+) 0 obj\r?\n<</Length (\d+)/Filter/FlateDecode>>\r?\nstream\r?\n")

# Most cells of a column that are looked at one by one.
MOST_COMPARED = 1000


def has_number_sign(path):
    """Returns whether a PDF that LibreOffice has written may show the character #.

    The ToUnicode CMaps of its fonts (ISO 32000-2, 9.10.3) name each character that the document shows.
    """
    with open(path, "rb") as file:
        pdf = file.read()
    streams = {found[1]: found for found in STREAM.finditer(pdf)}
    numbers = set(re.findall(rb"/ToUnicode (\d+) 0 R", pdf))
    for number in numbers:
        found = streams.get(number)
        cmap = zlib.decompress(pdf[found.end() : found.end() + int(found[2])]) if found else b""
        # Codes one by one are the only form that LibreOffice writes.
        if b"<0023>" in cmap or b"beginbfchar" not in cmap or b"beginbfrange" in cmap:
            return True
    return not numbers


def too_wide(document, path):
    """Returns the names of cells with numbers that are likely to be printed as ###, one for each column.

    Changes the cells, so that the document can only be closed afterwards. `path`: that of the PDF.
    """
    is_sheet = document.supportsService("com.sun.star.sheet.SpreadsheetDocument")
    # Measuring the columns takes a quarter of the time of a conversion.
    if not is_sheet or not has_number_sign(path):
        return []
    document.enableAutomaticCalculation(False)
    formats = document.NumberFormats
    found = [one for sheet in document.Sheets if sheet.IsVisible for one in too_wide_in(sheet, formats)]
    sure = [name for name, lacking in found if lacking > SURE]
    return sure or [name for name, _ in found]


def too_wide_in(sheet, formats):
    """Returns the names of cells, and how much their columns lack."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    last = cursor.RangeAddress
    used = sheet.getCellRangeByPosition(0, 0, last.EndColumn, last.EndRow)
    leave_numbers(used, sheet)
    general = [area for area in formats_of(sheet) if is_general(area.NumberFormat, formats)]
    narrow = [(column, column.Width) for column in printed_columns(sheet, last.EndColumn)]
    for shortest in SHORTEST:
        for area in general:
            area.NumberFormat = key_of(shortest, formats)
        used.Columns.OptimalWidth = True
        narrow = [(column, width) for column, width in narrow if column.Width > width + LEAST]
        # Numbers in merged cells are printed across several columns.
        merged = [cell for column, _ in narrow for cell in numbers_in(column) if cell.IsMerged]
        for cell in merged:
            cell.clearContents(NUMBERS)
        # A column without numbers gets the usual width.
        narrow = [(column, width) for column, width in narrow if column.queryContentCells(NUMBERS).Count > 0]
    return [
        (name_of(max(numbers_in(column), key=lambda cell: len(cell.String))), column.Width - width)
        for column, width in narrow
    ]


def leave_numbers(used, sheet):
    """Clears a sheet of all but numbers that are printed in their own size."""
    used.clearContents(STRING)
    used.queryFormulaCells(NO_NUMBERS).clearContents(FORMULA)
    for row in hidden_rows(used):
        sheet.Rows.getByIndex(row).clearContents(NUMBERS)
    for area in formats_of(sheet):
        if area.ShrinkToFit or area.RotateAngle:
            area.clearContents(NUMBERS)


def numbers_in(column):
    """Yields the cells of a column that have numbers: the first ones of many."""
    cells = column.queryContentCells(NUMBERS).Cells.createEnumeration()
    return islice(iter(lambda: cells.nextElement() if cells.hasMoreElements() else None, None), MOST_COMPARED)


def formats_of(sheet):
    """Returns the cells of a sheet by their formats."""
    areas = sheet.UniqueCellFormatRanges
    return [areas.getByIndex(i) for i in range(areas.Count)]


def is_general(key, formats):
    return key == formats.getStandardIndex(formats.getByKey(key).Locale)


def key_of(code, formats):
    key = formats.queryKey(code, Locale(), False)
    return formats.addNew(code, Locale()) if key == -1 else key


def printed_columns(sheet, last):
    """Returns the visible columns that have numbers, of those in a print range if there is one."""
    areas = sheet.getPrintAreas()
    inside = [
        sheet.Columns.getByIndex(column)
        for column in range(last + 1)
        if not areas or any(area.StartColumn <= column <= area.EndColumn for area in areas)
    ]
    return [column for column in inside if column.IsVisible and column.queryContentCells(NUMBERS).Count > 0]
