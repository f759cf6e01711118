import { TYPED } from '../tags/described.ts';
import { type Change, endOf, hexString, objectAt, offsetOf, rewritten } from './printed-objects.ts';

/** A figure whose alternate text begins with a type, as Chromium writes it, in text strings of UTF-16. */
const FIGURE = `/S /Figure\n/Alt ${hexString(TYPED).slice(0, -1)}`;

/** Types that such figures may get (ISO 32000-1, 14.8.4). */
const TYPES = ['Figure', 'Formula', 'Lbl', 'Link', 'Note', 'Reference'];

/**
 * Gives elements of a PDF that Chromium wrote the types that their alternate texts begin with (tags/described.ts). The rest of the
 * text stays that of a formula, and describes the annotations of a link (ISO 14289-1, 7.18.5).
 */
export function retagged(pdf: Buffer): Buffer {
  const { table } = endOf(pdf);
  const changes: Change[] = [];
  for (let at = pdf.indexOf(FIGURE); at !== -1; at = pdf.indexOf(FIGURE, at + 1)) {
    const from = at + FIGURE.length;
    const end = pdf.indexOf('>', from);
    const label = Buffer.from(pdf.toString('latin1', from, end), 'hex')
      .swap16()
      .toString('utf16le');
    const [type = ''] = label.split(' ', 1);
    if (!TYPES.includes(type)) continue;
    const said = label.slice(type.length + 1);
    const text = hexString(said);
    const alternate = type === 'Formula' && said !== '' ? `\n/Alt ${text}` : '';
    changes.push({ start: at, end: end + 1, text: `/S /${type}${alternate}` });
    if (type !== 'Link' || said === '') continue;
    const element = pdf.toString('latin1', end, pdf.indexOf('endobj', end));
    for (const [, number] of element.matchAll(/\/Obj (\d+) 0 R/g)) {
      const start = offsetOf(pdf, table, Number(number)) ?? -1;
      const annotation = objectAt(pdf, table, Number(number));
      const open = start + annotation.indexOf('<<') + 2;
      if (annotation.includes('/Subtype /Link'))
        changes.push({ start: open, end: open, text: `/Contents ${text}\n` });
    }
  }
  return changes.length === 0 ? pdf : rewritten(pdf, changes);
}
