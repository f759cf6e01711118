"""Updates tables of contents of texts."""

import re
from itertools import pairwise

import uno
from values import properties


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
        keep_number_tabs(index)
        index.update()
        lost = before - {letters(line) for line in index.Anchor.String.splitlines()} - {""}
        if lost:
            text = letters(document.Text.String)
            if any(line in text for line in lost):
                return False
    return True


# The number of an entry, its text and its page.
NUMBERED_ENTRY = re.compile(r"\S{1,20}\t[^\t]+\t")
# Word's distance of tab stops where there are none, in hundredths of a millimetre.
DEFAULT_TAB = 1270


def keep_number_tabs(index):
    """Has a table of contents keep the tab between number and text of its entries, which LibreOffice makes a blank."""
    seen = set()
    for paragraph in paragraphs_of(index.Anchor):
        level = re.fullmatch(r"Contents (\d+)", paragraph.ParaStyleName)
        if level is None or level[1] in seen or not NUMBERED_ENTRY.match(paragraph.String):
            continue
        seen.add(level[1])
        stops = [stop.Position for stop in paragraph.ParaTabStops if stop.Alignment.value == "LEFT"]
        margin = paragraph.ParaLeftMargin
        position = next((at for at in stops if at > margin), margin + DEFAULT_TAB)
        tab = properties({"TokenType": "TokenTabStop", "TabStopPosition": position, "TabStopFillCharacter": " "})
        tokens = list(index.LevelFormat.getByIndex(int(level[1])))
        types = [token[0].Value for token in tokens]
        # With a tab that comes with the number, as in newer versions of LibreOffice, there is nothing to do.
        for i, pair in enumerate(pairwise(types)):
            if pair == ("TokenEntryNumber", "TokenEntryText"):
                tokens.insert(i + 1, tab)
                entries = uno.Any("[][]com.sun.star.beans.PropertyValue", tuple(tokens))
                uno.invoke(index.LevelFormat, "replaceByIndex", (int(level[1]), entries))
                break


def paragraphs_of(text):
    """Yields the paragraphs of a text or a part of it."""
    paragraphs = text.createEnumeration()
    while paragraphs.hasMoreElements():
        yield paragraphs.nextElement()
