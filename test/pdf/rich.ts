import { rawPdf, rawStream } from './fixtures.ts';

/**
 * A PDF that has everything merging and splitting can lose. All its names are the same in every such file, so
 * that merging two of them clashes wherever a clash is possible; all its texts begin with `name`.
 *
 * Each page: its text (marked content 0), a link to the next page by page, one to page 1 by name (string), one
 * to page 1 by name (old style), a text field `f<n>` with a value. Pages 1 and 2 share the field `both`.
 * Outline: one entry for each page (by page, by name, by action in turn) and below the last one a child.
 * Labels: i, ii for the first two pages, then `A-1`, …
 */
export function richPdf(path: string, name: string, pages = 3): string {
  const bodies: string[] = [];
  const add = (body = ''): number => bodies.push(body);
  const set = (id: number, body: string): void => {
    bodies[id - 1] = body;
  };
  const refs = (ids: readonly number[]): string => ids.map((id) => `${id} 0 R`).join(' ');

  const catalog = add();
  const tree = add();
  const structure = add();
  const outlines = add();
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const layer = add(`<< /Type /OCG /Name (${name} layer) >>`);
  const hidden = add(`<< /Type /OCG /Name (${name} hidden) >>`);
  const both = add();
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const pageIds = numbers.map(() => add());
  const fields: number[] = [];
  const bothKids: number[] = [];
  const elements: number[] = [];

  for (const n of numbers) {
    const page = pageIds[n - 1] ?? 0;
    const next = pageIds[n % pages] ?? 0;
    const link = (target: string, slot: number): number =>
      add(
        `<< /Type /Annot /Subtype /Link /Rect [${slot * 50} 10 ${slot * 50 + 40} 30] /Border [0 0 1] ${target} /StructParent ${100 + n * 10 + slot} >>`,
      );
    const appearance = add(
      rawStream(
        `/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F ${font} 0 R >> >>`,
        `/Tx BMC BT /F 9 Tf 2 5 Td (${name} value ${n}) Tj ET EMC`,
      ),
    );
    const widget = (y: number, rest: string): number =>
      add(
        `<< /Type /Annot /Subtype /Widget /Rect [72 ${y} 172 ${y + 20}] /P ${page} 0 R /F 4 /AP << /N ${appearance} 0 R >> ${rest} >>`,
      );
    const field = widget(600, `/FT /Tx /T (f${n}) /V (${name} value ${n}) /DA (/F 9 Tf 0 g)`);
    fields.push(field);
    const annots = [
      link(`/Dest [${next} 0 R /XYZ 0 700 0]`, 1),
      link('/Dest (first)', 2),
      link('/A << /S /GoTo /D /old >>', 3),
      field,
    ];
    if (n <= 2) {
      const kid = widget(550, `/Parent ${both} 0 R`);
      bothKids.push(kid);
      annots.push(kid);
    }
    const content = add(
      rawStream(
        '',
        `/P << /MCID 0 >> BDC BT /F 20 Tf 72 700 Td (${name} page ${n}) Tj ET EMC
/OC /L BDC BT /F 9 Tf 72 650 Td (${name} shown ${n}) Tj ET EMC
/OC /H BDC BT /F 9 Tf 72 640 Td (${name} hidden ${n}) Tj ET EMC`,
      ),
    );
    const element = add(`<< /Type /StructElem /S /P /P ${structure + 0} 0 R /Pg ${page} 0 R /K 0 >>`);
    elements.push(element);
    set(
      page,
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595 842] /StructParents ${n - 1}
/Resources << /Font << /F ${font} 0 R >> /Properties << /L ${layer} 0 R /H ${hidden} 0 R >> >>
/Contents ${content} 0 R /Annots [${refs(annots)}] >>`,
    );
  }

  const document = add(`<< /Type /StructElem /S /Document /P ${structure} 0 R /K [${refs(elements)}] >>`);
  elements.forEach((id, index) =>
    set(id, `<< /Type /StructElem /S /P /P ${document} 0 R /Pg ${pageIds[index] ?? 0} 0 R /K 0 >>`),
  );
  const parents = elements.map((id, index) => `${index} [${id} 0 R]`).join(' ');
  set(
    structure,
    `<< /Type /StructTreeRoot /K [${document} 0 R] /ParentTree << /Nums [${parents}] >> /ParentTreeNextKey 200 >>`,
  );

  set(both, `<< /FT /Tx /T (both) /V (${name} both) /DA (/F 9 Tf 0 g) /Kids [${refs(bothKids)}] >>`);

  const items = numbers.map(() => add());
  const child = add(
    `<< /Title (${name} child) /Parent ${items.at(-1) ?? 0} 0 R /Dest [${pageIds.at(-1) ?? 0} 0 R /Fit] >>`,
  );
  items.forEach((id, index) => {
    const target = [
      `/Dest [${pageIds[index] ?? 0} 0 R /Fit]`,
      `/Dest (p${index + 1})`,
      `/A << /S /GoTo /D [${pageIds[index] ?? 0} 0 R /Fit] >>`,
    ][index % 3];
    const last = index === items.length - 1;
    set(
      id,
      `<< /Title (${name} entry ${index + 1}) /Parent ${outlines} 0 R ${target ?? ''}
${index > 0 ? `/Prev ${items[index - 1] ?? 0} 0 R` : ''} ${last ? `/First ${child} 0 R /Last ${child} 0 R /Count 1` : `/Next ${items[index + 1] ?? 0} 0 R`} >>`,
    );
  });
  set(
    outlines,
    `<< /Type /Outlines /First ${items[0] ?? 0} 0 R /Last ${items.at(-1) ?? 0} 0 R /Count ${items.length + 1} >>`,
  );

  const names = numbers.map((n) => `(p${n}) [${pageIds[n - 1] ?? 0} 0 R /XYZ 0 800 0]`).join(' ');
  const note = add(rawStream('/Type /EmbeddedFile', `${name} note`));
  const filespec = add(`<< /Type /Filespec /F (note.txt) /UF (note.txt) /EF << /F ${note} 0 R >> >>`);
  const xmp = add(
    rawStream(
      '/Type /Metadata /Subtype /XML',
      `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${name} title</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
    ),
  );
  const info = add(`<< /Title (${name} title) /Author (${name} author) >>`);

  set(tree, `<< /Type /Pages /Count ${pages} /Kids [${refs(pageIds)}] >>`);
  set(
    catalog,
    `<< /Type /Catalog /Pages ${tree} 0 R /StructTreeRoot ${structure} 0 R /MarkInfo << /Marked true >> /Lang (en)
/Outlines ${outlines} 0 R /Metadata ${xmp} 0 R /ViewerPreferences << /DisplayDocTitle true >>
/Dests << /old [${pageIds[0] ?? 0} 0 R /Fit] >>
/Names << /Dests << /Names [(first) << /D [${pageIds[0] ?? 0} 0 R /Fit] >> ${names}] >>
/EmbeddedFiles << /Names [(note.txt) ${filespec} 0 R] >> >>
/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /P (A-) >>] >>
/OCProperties << /OCGs [${layer} 0 R ${hidden} 0 R] /D << /Order [${layer} 0 R ${hidden} 0 R] /OFF [${hidden} 0 R] >> >>
/AcroForm << /Fields [${refs(fields)} ${both} 0 R] /DA (/F 9 Tf 0 g) /DR << /Font << /F ${font} 0 R >> >> >> >>`,
  );
  return rawPdf(path, bodies, `/Info ${info} 0 R`);
}
