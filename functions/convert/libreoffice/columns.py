"""Finds numbers that are wider than their columns: LibreOffice prints ### in their places."""

from com.sun.star.lang import Locale
from com.sun.star.sheet.CellFlags import DATETIME, FORMULA, STRING, VALUE

NUMBERS = VALUE | DATETIME | FORMULA

# com.sun.star.sheet.FormulaResult: STRING and ERROR
NO_NUMBERS = 2 | 4

# Hundredths of a millimetre by which the best width of a column is larger than one that shows its numbers: of numbers
# that were printed as ###, no column lacked less than 3.3 mm, and from 4.3 mm on all were.
LEAST = 250
SURE = 430

# The shortest forms of a number without a format, which LibreOffice shortens as its column demands.
SHORTEST = ("0", "0E+00")

# Most cells of a column that are looked at one by one.
MOST_COMPARED = 1000


def too_wide(document):
    """Returns the names of cells with numbers that are likely to be printed as ###, one for each column.

    Changes the cells, so that the document can only be closed afterwards.
    """
    if not document.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
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
        for column, _ in narrow:
            clear_merged(column)
        # A column without numbers gets the usual width.
        narrow = [(column, width) for column, width in narrow if column.queryContentCells(NUMBERS).Count > 0]
    return [(longest_in(column), column.Width - width) for column, width in narrow]


def leave_numbers(used, sheet):
    """Clears a sheet of all but numbers that are printed in their own size."""
    used.clearContents(STRING)
    used.queryFormulaCells(NO_NUMBERS).clearContents(FORMULA)
    hidden = set(range(used.RangeAddress.EndRow + 1))
    for seen in used.queryVisibleCells().RangeAddresses:
        hidden.difference_update(range(seen.StartRow, seen.EndRow + 1))
    for row in hidden:
        sheet.Rows.getByIndex(row).clearContents(NUMBERS)
    for area in formats_of(sheet):
        if area.ShrinkToFit or area.RotateAngle:
            area.clearContents(NUMBERS)


def clear_merged(column):
    """Clears the numbers of a column that are printed across several columns."""
    cells = column.queryContentCells(NUMBERS).Cells.createEnumeration()
    for _ in range(MOST_COMPARED):
        if not cells.hasMoreElements():
            return
        cell = cells.nextElement()
        if cell.IsMerged:
            cell.clearContents(NUMBERS)


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


def longest_in(column):
    """Returns the name of the cell with the longest number."""
    cells = column.queryContentCells(NUMBERS).Cells.createEnumeration()
    longest = cells.nextElement()
    for _ in range(MOST_COMPARED):
        if not cells.hasMoreElements():
            break
        cell = cells.nextElement()
        if len(cell.String) > len(longest.String):
            longest = cell
    return longest.AbsoluteName.replace("$", "", 1).replace("$", "").replace(".", "!", 1)
