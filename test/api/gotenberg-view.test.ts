import { describe, expect, it } from 'vitest';
import { odt } from '../convert/documents.ts';
import { looked, officeRoute, sizes, slides } from './gotenberg-office.ts';

/** The fields of `/forms/libreoffice/convert` for how readers show a PDF (I-58), and `view` of `/v1`. */

const converted = officeRoute();

describe('the view', () => {
  const chapters = async (): Promise<Buffer> => {
    const heading = (level: number, text: string): string =>
      `<text:h text:outline-level="${level}"${text === 'Two' ? ' text:style-name="break"' : ''}>${text}</text:h>`;
    return await odt(heading(1, 'One') + heading(2, 'Below') + heading(1, 'Two'));
  };
  const all = {
    initialView: '1',
    initialPage: '2',
    magnification: '4',
    zoom: '50',
    pageLayout: '3',
    firstPageOnLeft: 'true',
    resizeWindowToInitialPage: 'true',
    centerWindow: 'true',
    openInFullScreenMode: 'true',
    displayPDFDocumentTitle: 'true',
    hideViewerMenubar: 'true',
    hideViewerToolbar: 'true',
    hideViewerWindowControls: 'true',
    openBookmarkLevels: '1',
  };

  it('is in the catalog of the PDF, also of one that is encrypted', async () => {
    const file = { 'a.odt': await chapters() };
    expect(viewIn((await converted(file)).bytes)).toMatchObject({ mode: null, layout: null, page: 1 });
    for (const more of [{}, { ownerPassword: 'x' }]) {
      const { bytes, warning } = await converted(file, { ...all, ...more });
      expect(warning).toBeNull();
      expect(viewIn(bytes)).toEqual({
        mode: '/FullScreen',
        layout: '/TwoColumnLeft',
        page: 2,
        zoom: ['/XYZ', 0, 841, 0.5],
        counts: [-1, 0, 0, 2],
        preferences: {
          '/NonFullScreenPageMode': '/UseOutlines',
          '/FitWindow': true,
          '/CenterWindow': true,
          '/DisplayDocTitle': true,
          '/HideMenubar': true,
          '/HideToolbar': true,
          '/HideWindowUI': true,
        },
      });
    }
  });

  it.each([
    [
      { magnification: '1', pageLayout: '1' },
      { zoom: ['/Fit'], layout: '/SinglePage' },
    ],
    [
      { magnification: '2', pageLayout: '2' },
      { zoom: ['/FitH', 841], layout: '/OneColumn' },
    ],
    [
      { magnification: '3', pageLayout: '3' },
      { zoom: ['/FitBH', 841], layout: '/TwoColumnRight' },
    ],
    [
      { initialView: '2', openBookmarkLevels: '-1' },
      { mode: '/UseThumbs', counts: [1, 0, 0, 3] },
    ],
  ])('with %j', async (fields, expected) => {
    expect(viewIn((await converted({ 'a.odt': await chapters() }, fields)).bytes)).toMatchObject(expected);
  });

  it.each(['x.html', 'x.txt', 'x.csv', 'x.svg'])('is in the PDF of %s', async (name) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>';
    const { bytes, warning } = await converted({ [name]: Buffer.from(svg) }, { pageLayout: '2' });
    expect(viewIn(bytes)).toMatchObject({ layout: '/OneColumn' });
    expect(warning).toBeNull();
  });

  it('counts the pages of the result, without hidden slides and other pages', async () => {
    const two = { initialPage: '2' };
    const shown = (await converted({ 'a.odp': await slides() }, two)).bytes;
    expect(viewIn(shown)).toMatchObject({ page: 2 });
    const { bytes } = await converted({ 'a.odt': await chapters() }, { ...two, nativePageRanges: '1,2' });
    expect(viewIn(bytes)).toMatchObject({ page: 2 });
  });

  it('of merged documents is that of the first one', async () => {
    const files = { 'a.odt': await chapters(), 'b.txt': Buffer.from('x') };
    const { bytes } = await converted(files, { initialPage: '2', pageLayout: '2', merge: 'true' });
    expect(sizes(bytes)).toHaveLength(3);
    expect(viewIn(bytes)).toMatchObject({ page: 2, layout: '/OneColumn' });
  });

  it.each([
    ['initialPage', '9', 'there is no page 9: the document has 2'],
    ['initialView', '3', 'must be an integer from 0 to 2'],
    ['magnification', '5', 'must be an integer from 0 to 4'],
    ['openBookmarkLevels', '11', 'must be an integer from 1 to 10'],
    ['zoom', '0', 'must be an integer from 1 on'],
  ])('%s=%s is refused', async (field, value, why) => {
    await expect(converted({ 'a.odt': await chapters() }, { [field]: value })).rejects.toThrow(why);
  });
});

const VIEW = `
def plain(value):
    if isinstance(value, (bool, int)): return value
    if isinstance(value, Decimal): return int(value) if value > 1 else float(value)
    return None if value is None else str(value)
def counts(item):
    while item is not None:
        yield int(item.get("/Count", 0))
        yield from counts(item.get("/First"))
        item = item.get("/Next")
def view(pdf):
    root = pdf.Root
    numbers = [page.obj.objgen for page in pdf.pages]
    page, *zoom = root.get("/OpenAction", [None])
    outline = root.get("/Outlines")
    return {
        "mode": plain(root.get("/PageMode")), "layout": plain(root.get("/PageLayout")),
        "page": None if page is None else numbers.index(page.objgen) + 1, "zoom": [plain(value) for value in zoom],
        "preferences": {key: plain(value) for key, value in root.get("/ViewerPreferences", {}).items()},
        "counts": [] if outline is None else [*counts(outline.First), int(outline.Count)],
    }`;

function viewIn(pdf: Buffer): unknown {
  return looked(pdf, 'view(pdf)', VIEW);
}
