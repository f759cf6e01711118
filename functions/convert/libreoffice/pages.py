"""Changes the pages of texts and spreadsheets."""


def turn_to_landscape(document):
    """Turns the pages of all page styles that are upright, as the printer's settings of LibreOffice do."""
    if not hasattr(document, "StyleFamilies") or not document.StyleFamilies.hasByName("PageStyles"):
        return
    styles = document.StyleFamilies.getByName("PageStyles")
    for i in range(styles.Count):
        style = styles.getByIndex(i)
        if style.Height > style.Width:
            size = style.Size
            size.Width, size.Height = size.Height, size.Width
            style.IsLandscape = True
            style.Size = size
