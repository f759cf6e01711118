"""Finds what a presentation does not show, and mends its links."""

import json
import re
from itertools import islice

from values import listed


def slides_of(document):
    """Returns the slides of a presentation; none for another document."""
    if not document.supportsService("com.sun.star.presentation.PresentationDocument"):
        return []
    return [document.DrawPages.getByIndex(i) for i in range(document.DrawPages.Count)]


def hidden_slides(document):
    """Returns the numbers of the hidden slides of a presentation, from 1."""
    return [number for number, slide in enumerate(slides_of(document), 1) if not slide.Visible]


def mend_links(document):
    """Has links lead to slides by their names: LibreOffice 25.2 calls a slide before the link by its number instead."""
    slides = slides_of(document)
    names = [slide.Name for slide in slides]

    def mended(link):
        found = re.fullmatch(r"(#?)(?:page|Slide )(\d{1,5})", link)
        mark, number = found.groups() if found else ("", "0")
        is_lost = 0 < int(number) <= len(names) and link.lstrip("#") not in names
        return mark + names[int(number) - 1] if is_lost else link

    for shape in islice((shape for slide in slides for shape in shapes_in(slide)), MOST_SHAPES):
        if shape.PropertySetInfo.hasPropertyByName("Bookmark") and mended(shape.Bookmark) != shape.Bookmark:
            shape.Bookmark = mended(shape.Bookmark)
        for text, portion in links_in(shape):
            field = portion.TextField
            if mended(field.URL) == field.URL:
                continue
            # A field in a text cannot be changed.
            other = document.createInstance("com.sun.star.text.TextField.URL")
            other.URL, other.Representation = mended(field.URL), field.Representation
            text.insertTextContent(portion, other, True)


def links_in(shape):
    """Yields the texts of a shape or table, each with the portions of it that are links."""
    texts = [shape] if shape.supportsService("com.sun.star.drawing.Text") else []
    if shape.ShapeType == "com.sun.star.drawing.TableShape":
        cells = shape.Model
        rows, columns = range(cells.Rows.Count), range(cells.Columns.Count)
        texts = [cells.getCellByPosition(column, row) for row in rows for column in columns]
    for text in texts:
        portions = [portion for paragraph in text for portion in paragraph if portion.TextPortionType == "TextField"]
        for portion in portions:
            if portion.TextField.PropertySetInfo.hasPropertyByName("URL"):
                yield text, portion


# Hundredths of a millimetre by which content may reach beyond its slide.
TOLERANCE = 100

# Most shapes of a presentation whose text is measured.
MOST_SHAPES = 5000


def cut_off(document, hidden):
    """Returns sentences about tables and texts that are longer than their slide: LibreOffice leaves out what is below.

    Changes the shapes, so that the document can only be closed afterwards.
    """
    tables: list = []
    texts: list = []
    slides = [(number, slide) for number, slide in enumerate(slides_of(document), 1) if number not in hidden]
    shapes = ((number, slide.Height, shape) for number, slide in slides for shape in shapes_in(slide))
    for number, height, shape in islice(shapes, MOST_SHAPES):
        if shape.ShapeType == "com.sun.star.drawing.TableShape":
            row = first_row_below(shape, height)
            # The height of a table in the file may be that before rows were added.
            if row or shape.Position.Y + shape.Size.Height > height + TOLERANCE:
                tables.append("slide %d%s" % (number, row))
        elif is_text_longer(shape, height):
            beginning = shape.String.strip().split("\n")[0][:30]
            texts.append("slide %d, %s" % (number, json.dumps(beginning, ensure_ascii=False)))
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
