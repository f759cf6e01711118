import { blanks, CATALOG, filters, onePage, PAGE, pdf, stream, times, TREE, withCatalog } from './build.ts';

/** Trees and lists of a document: outlines, names, fields, tags, files. */

export const TREES: Readonly<Record<string, () => Buffer>> = {
  'outline 100,000 levels deep': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      '<< /First 5 0 R /Last 5 0 R >>',
      ...times(
        100_000,
        (n) =>
          `<< /Title (a) /Parent ${n + 4} 0 R /First ${n + 6} 0 R /Last ${n + 6} 0 R /Dest [3 0 R /Fit] >>`,
      ),
      'null',
    ]),
  'name tree 100,000 levels deep': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /Names << /Dests 4 0 R /EmbeddedFiles 4 0 R >> >>',
      TREE,
      `<< ${PAGE} >>`,
      ...times(100_000, (n) => `<< /Kids [${n + 5} 0 R] /Limits [(a) (b)] >>`),
      '<< /Names [(a) [3 0 R /Fit]] /Limits [(a) (b)] >>',
    ]),
  'structure tree 100,000 levels deep': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> >>',
      TREE,
      `<< ${PAGE} /StructParents 0 >>`,
      '<< /Type /StructTreeRoot /K 5 0 R /ParentTree << /Nums [0 [100004 0 R]] >> >>',
      ...times(
        100_000,
        (n) =>
          `<< /Type /StructElem /S /P /P ${n + 4} 0 R /K ${n === 99_999 ? '0' : `${n + 6} 0 R`} /Pg 3 0 R >>`,
      ),
    ]),
  'structure of 32,768 elements on a page': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> >>',
      TREE,
      `<< ${PAGE} /StructParents 0 >>`,
      '<< /Type /StructTreeRoot /K 5 0 R /ParentTree << /Nums [0 6 0 R] >> >>',
      `<< /Type /StructElem /S /Document /P 4 0 R /K [${times(32_768, (n) => `${n + 7} 0 R`).join(' ')}] >>`,
      `[${times(32_768, (n) => `${n + 7} 0 R`).join(' ')}]`,
      ...times(32_768, (n) => `<< /Type /StructElem /S /P /P 5 0 R /Pg 3 0 R /K ${n} >>`),
    ]),
  'outline in a loop': () =>
    withCatalog(
      '/Outlines 4 0 R',
      '<< /First 5 0 R /Last 5 0 R /Count 1000000000 >>',
      '<< /Title (a) /Parent 5 0 R /First 4 0 R /Next 5 0 R /Prev 5 0 R /Last 5 0 R /Dest [3 0 R /Fit] /A 6 0 R >>',
      '<< /S /GoTo /D 6 0 R /Next 6 0 R >>',
    ),
  'outline of two that follow each other': () =>
    withCatalog(
      '/Outlines 4 0 R',
      '<< /First 5 0 R /Last 6 0 R >>',
      '<< /Title (a) /Parent 4 0 R /Next 6 0 R /First 6 0 R /Last 6 0 R >>',
      '<< /Title (b) /Parent 4 0 R /Next 5 0 R /First 5 0 R /Last 5 0 R >>',
    ),
  'outline of 100,000 entries': () =>
    withCatalog(
      '/Outlines 4 0 R',
      '<< /First 5 0 R /Last 100004 0 R >>',
      ...times(
        100_000,
        (n) => `<< /Title (a) /Parent 4 0 R ${n < 99_999 ? `/Next ${n + 6} 0 R` : ''} /Dest [3 0 R /Fit] >>`,
      ),
    ),
  'title of 10 MB': () =>
    withCatalog(
      '/Outlines 4 0 R',
      '<< /First 5 0 R /Last 5 0 R >>',
      `<< /Title (${'a'.repeat(10_000_000)}) /Parent 4 0 R /Dest (${'a'.repeat(100)}) >>`,
    ),
  'names in a loop': () =>
    withCatalog(
      '/Names << /Dests 4 0 R /EmbeddedFiles 4 0 R /JavaScript 4 0 R >> /Dests 4 0 R',
      '<< /Kids [4 0 R 4 0 R] /Names [(a) 4 0 R] /Limits [(a) (b)] >>',
    ),
  'names that share their branches, 40 levels': () =>
    withCatalog(
      '/Names << /Dests 4 0 R /EmbeddedFiles 4 0 R >>',
      ...times(40, (n) => `<< /Kids [${n + 5} 0 R ${n + 5} 0 R] >>`),
      '<< /Names [(a) [3 0 R /Fit]] >>',
    ),
  'page labels in a loop': () =>
    withCatalog('/PageLabels 4 0 R', '<< /Kids [4 0 R 4 0 R] /Nums [0 4 0 R] >>'),
  'page labels of a thousand million': () =>
    withCatalog('/PageLabels << /Nums [0 << /S /R /St 2000000000 >>] >>'),
  'page labels of letters of a thousand million': () =>
    withCatalog('/PageLabels << /Nums [0 << /S /A /St 2000000000 >>] >>'),
  'destinations in a loop': () =>
    withCatalog('/Dests << /a 4 0 R >> /OpenAction 4 0 R', '<< /D 4 0 R /S /GoTo /Next [4 0 R 4 0 R] >>'),
  'fields in a loop': () =>
    withCatalog(
      '/AcroForm << /Fields [4 0 R 4 0 R] /DR 4 0 R /CO [4 0 R] >>',
      '<< /FT /Tx /T (a) /Kids [4 0 R 4 0 R] /Parent 4 0 R /V 4 0 R /Rect [0 0 9 9] /Subtype /Widget >>',
    ),
  'fields that share their branches, 30 levels': () =>
    withCatalog(
      '/AcroForm << /Fields [4 0 R] >>',
      ...times(30, (n) => `<< /T (a${n}) /Kids [${n + 5} 0 R ${n + 5} 0 R] >>`),
      '<< /FT /Tx /T (b) /V (x) /Rect [0 0 9 9] /Subtype /Widget >>',
    ),
  'fields 100,000 levels deep': () =>
    withCatalog(
      '/AcroForm << /Fields [4 0 R] >>',
      ...times(100_000, (n) => `<< /T (a) /Parent ${n + 3} 0 R /Kids [${n + 5} 0 R] >>`),
      '<< /FT /Tx /T (b) /V (x) /Rect [0 0 9 9] /Subtype /Widget >>',
    ),
  'fields 200,000 of one name': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields 4 0 R >> >>',
      TREE,
      `<< ${PAGE} /Annots 4 0 R >>`,
      `[${times(200_000, (n) => `${n + 5} 0 R`).join(' ')}]`,
      ...times(200_000, () => '<< /FT /Tx /T (a) /V (x) /Rect [0 0 9 9] /Subtype /Widget /P 3 0 R >>'),
    ]),
  'a field of 10 MB, and 100,000 choices': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R] /NeedAppearances true >> >>',
      TREE,
      `<< ${PAGE} /Annots [4 0 R 5 0 R] >>`,
      `<< /FT /Tx /Ff 4096 /T (a) /DA (/Helv 0 Tf) /V (${'a '.repeat(5_000_000)}) /Rect [0 0 9 9] /Subtype /Widget /P 3 0 R >>`,
      `<< /FT /Ch /T (b) /DA (/Helv 0 Tf) /Opt [${'(a)'.repeat(100_000)}] /V (a) /Rect [0 0 9 9] /Subtype /Widget /P 3 0 R >>`,
    ]),
  'appearance of a field that is the field': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>',
      TREE,
      `<< ${PAGE} /Annots [4 0 R] >>`,
      '<< /FT /Btn /T (a) /V /Yes /AP << /N 4 0 R /D << /Yes 4 0 R >> >> /MK << /I 4 0 R >> /Rect [0 0 9 9] /Subtype /Widget /P 3 0 R >>',
    ]),
  'appearance that shows itself': () =>
    pdf([
      CATALOG,
      TREE,
      `<< ${PAGE} /Annots [4 0 R] >>`,
      '<< /Type /Annot /Subtype /Stamp /Rect [0 0 99 99] /F 4 /AP << /N 5 0 R >> /Popup 4 0 R /IRT 4 0 R /Parent 4 0 R >>',
      stream(
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
        '/X Do '.repeat(50),
      ),
    ]),
  'annotation with an enormous rectangle': () =>
    pdf([
      CATALOG,
      TREE,
      `<< ${PAGE} /Annots [<< /Type /Annot /Subtype /Square /Rect [-1e38 -1e38 1e38 1e38] /F 4 /AP << /N 4 0 R >> >> << /Subtype /Link /Rect [0 0 0] /Dest 4 0 R >>] >>`,
      stream('/Type /XObject /Subtype /Form /BBox [0 0 0 0] /Matrix [0 0 0 0 0 0]', '0 0 9 9 re f'),
    ]),
  'structure in a loop': () =>
    withCatalog(
      '/StructTreeRoot 4 0 R /MarkInfo << /Marked true >>',
      '<< /Type /StructTreeRoot /K [5 0 R 4 0 R] /ParentTree 6 0 R /RoleMap << /A /B /B /A >> /ClassMap 4 0 R /IDTree 6 0 R >>',
      '<< /Type /StructElem /S /A /P 5 0 R /K [5 0 R 5 0 R 0] /Pg 3 0 R /A 5 0 R /C /X >>',
      '<< /Kids [6 0 R 6 0 R] /Nums [0 6 0 R] >>',
    ),
  'structure that shares its branches, 40 levels': () =>
    withCatalog(
      '/StructTreeRoot 4 0 R /MarkInfo << /Marked true >>',
      '<< /Type /StructTreeRoot /K 5 0 R >>',
      ...times(
        40,
        (n) => `<< /Type /StructElem /S /P /P ${n + 4} 0 R /K [${n + 6} 0 R ${n + 6} 0 R] /Pg 3 0 R >>`,
      ),
      '<< /Type /StructElem /S /P /K 0 /Pg 3 0 R >>',
    ),
  'embedded file in a loop': () =>
    withCatalog(
      '/Names << /EmbeddedFiles << /Names [(a) 4 0 R (b) 4 0 R (a) 5 0 R] >> >> /AF [4 0 R 4 0 R]',
      '<< /Type /Filespec /F (a) /UF 4 0 R /EF << /F 4 0 R /UF 5 0 R >> /RF 4 0 R >>',
      stream('/Type /EmbeddedFile /Params 5 0 R', 'x'),
    ),
  'embedded file of 1 GB': () =>
    withCatalog(
      '/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) /EF << /F 4 0 R >> >>] >> >>',
      stream(`/Type /EmbeddedFile ${filters(1)}`, blanks(1e9, 1)),
    ),
  '10,000 embedded files of 1 MB': () =>
    withCatalog(
      `/Names << /EmbeddedFiles << /Names [${times(10_000, (n) => `(f${n}) << /Type /Filespec /F (f${n}) /EF << /F 4 0 R >> >>`).join(' ')}] >> >>`,
      stream(`/Type /EmbeddedFile ${filters(1)}`, blanks(1e6, 1)),
    ),
  'embedded files whose names lead out': () =>
    withCatalog(
      `/Names << /EmbeddedFiles << /Names [${['../../etc/passwd', '/etc/passwd', 'C:\\\\x', '', '..', '.', 'a/b'].map((name) => `(${name}) << /Type /Filespec /F (${name}) /EF << /F 4 0 R >> >>`).join(' ')}] >> >>`,
      stream('/Type /EmbeddedFile', 'x'),
    ),
  'signature over nothing': () =>
    withCatalog(
      '/AcroForm << /SigFlags 3 /Fields [4 0 R] >> /Perms << /DocMDP 5 0 R >>',
      '<< /FT /Sig /T (s) /V 5 0 R /Rect [0 0 0 0] /Subtype /Widget >>',
      '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 2000000000 -5 1e400] /Contents <3080> /Reference [5 0 R] >>',
    ),
  'threads, threads of articles and beads in a loop': () =>
    withCatalog(
      '/Threads [4 0 R] /Collection 4 0 R /Legal 4 0 R',
      '<< /F 4 0 R /N 4 0 R /V 4 0 R /T 4 0 R /P 3 0 R /I 4 0 R >>',
    ),
  'output intents in a loop': () =>
    withCatalog(
      '/OutputIntents [4 0 R 4 0 R]',
      '<< /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile 5 0 R /Info 4 0 R >>',
      stream('/N 1000000000 /Alternate 5 0 R', 'x'),
    ),
  'Info that is the catalog': () => pdf([CATALOG, TREE, `<< ${PAGE} >>`], '/Info 1 0 R /ID 1 0 R'),
  'actions that lead to themselves, three at a time': () =>
    withCatalog(
      '/AcroForm << /Fields [4 0 R] >> /OpenAction 5 0 R',
      '<< /FT /Btn /T (a) /A 5 0 R /AA << /U 5 0 R /D [5 0 R 5 0 R] >> >>',
      '<< /S /ResetForm /Fields [(a)] /Next [5 0 R 5 0 R << /S /Hide /T (a) /Next [5 0 R 5 0 R] >>] >>',
    ),
  'actions that share those that follow, 60 levels': () =>
    withCatalog(
      '/AcroForm << /Fields [4 0 R] >>',
      '<< /FT /Btn /T (a) /A 5 0 R >>',
      ...times(60, (n) => `<< /S /ResetForm /Fields [(a)] /Next [${n + 6} 0 R ${n + 6} 0 R] >>`),
      '<< /S /ResetForm /Fields [(a)] >>',
    ),
  'default resources that refer to themselves a hundred times': () =>
    withCatalog(
      '/AcroForm << /Fields [4 0 R] /DR << /Font << /F 5 0 R >> >> >>',
      '<< /FT /Tx /T (a) /DA (/F 9 Tf) >>',
      `<< /Type /Font ${times(100, (n) => `/X${n} 5 0 R`).join(' ')} >>`,
    ),
  'inks defined by themselves, ten times each': () =>
    onePage(
      '/Contents 4 0 R /Resources << /ColorSpace << /A [/Separation /Ink 5 0 R 6 0 R] /B [/Separation /Ink 6 0 R 5 0 R] >> >>',
      stream('', '/A cs 1 scn 0 0 9 9 re f /B cs 1 scn 0 0 9 9 re f'),
      `[${'6 0 R '.repeat(10)}]`,
      `[${'5 0 R '.repeat(10)}]`,
    ),
};
