"""Updates tables of contents, lists of captions and alphabetical indexes of texts."""

import re

import uno
from values import properties


def letters(text):
    return re.sub(r"[\W\d_]+", "", text).casefold()


# Lists of captions, of names and of user-defined entries.
LISTS = ("IllustrationsIndex", "TableIndex", "ObjectIndex", "UserIndex", "DocumentIndex")


def update_contents(document, name):
    """Updates the entries and page numbers of tables of contents, lists of captions and alphabetical indexes.

    `name`: that of the file. Returns False if one has lost an entry whose text is still there: LibreOffice does not
    support everything from which Word can make a table of contents.
    """
    if not document.supportsService("com.sun.star.text.TextDocument"):
        return True
    indexes = [document.DocumentIndexes.getByIndex(i) for i in range(document.DocumentIndexes.Count)]
    lists = [index for index in indexes if any(is_index(index, kind) for kind in LISTS)]
    if lists and not name.endswith(".docx"):
        # The numbers in captions; those of Word are up to date.
        document.TextFields.refresh()
    for index in lists:
        # Of entries of Word (XE), LibreOffice 7.4 loses the text.
        if is_index(index, "DocumentIndex") and name.endswith(".docx"):
            continue
        before = lines_of(index)
        keep_title(index, before)
        index.update()
        if before and not lines_of(index):
            return False
    return all(update_table(document, index) for index in indexes if is_index(index, "ContentIndex"))


def is_index(index, kind):
    return index.supportsService("com.sun.star.text." + kind)


def lines_of(index):
    """Returns the letters of the entries of an index."""
    return {letters(line) for line in index.Anchor.String.splitlines()} - {""}


def keep_title(index, lines):
    """Has an index without a title get none, which LibreOffice would add."""
    if letters(index.Title) not in lines:
        index.Title = ""


def update_table(document, index):
    """Updates a table of contents. Returns False if an entry is lost whose text is still there."""
    before = lines_of(index)
    keep_title(index, before)
    keep_number_tabs(index)
    index.update()
    lost = before - lines_of(index)
    if not lost:
        return True
    text = letters(document.Text.String)
    return not any(line in text for line in lost)


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
        at = types.index("TokenEntryNumber") + 1 if "TokenEntryNumber" in types else len(types)
        # Newer versions of LibreOffice have a tab there, at a place of their own.
        has_tab = types[at : at + 2] == ["TokenTabStop", "TokenEntryText"]
        if has_tab or types[at : at + 1] == ["TokenEntryText"]:
            tokens[at : at + has_tab] = [tab]
            entries = uno.Any("[][]com.sun.star.beans.PropertyValue", tuple(tokens))
            uno.invoke(index.LevelFormat, "replaceByIndex", (int(level[1]), entries))


def paragraphs_of(text):
    """Yields the paragraphs of a text or a part of it."""
    paragraphs = text.createEnumeration()
    while paragraphs.hasMoreElements():
        yield paragraphs.nextElement()
