import { loopName } from '../editor/fields.ts';
import { blocks as text } from '../text/blocks.ts';

/** The html of what is inserted. Its looks are in it, because a template may have no styles. */

const CELL = 'padding: 1.5mm 2mm; border-bottom: 0.2mm solid #c8ccd4; text-align: left';
const NUMBER = CELL.replace('left', 'right');

/** What is inserted without a question. */
export const SNIPPETS = {
  text: '<p></p>',
  heading: `<h2>${text.sample.heading}</h2>`,
  bullets: `<ul>\n  <li>${text.sample.item}</li>\n</ul>`,
  numbers: `<ol>\n  <li>${text.sample.item}</li>\n</ol>`,
  columns:
    '<div style="display: grid; grid-template-columns: 1fr 1fr; gap: 8mm">\n' +
    `  <div>\n    <p>${text.sample.left}</p>\n  </div>\n  <div>\n    <p>${text.sample.right}</p>\n  </div>\n</div>`,
  table: tableOf(text.sample.columns, [`<tr>\n${['', ''].map(() => cell('')).join('')}    </tr>`]),
  signature:
    '<p class="signature-line" style="width: 7cm; margin-top: 2.2cm; padding-top: 1mm; border-top: 0.3mm solid currentColor">' +
    `${text.sample.signature}</p>`,
  break: '<div style="break-after: page"></div>',
  rule: '<hr />',
  code: '<div><!-- --></div>',
} as const;

export type SnippetName = keyof typeof SNIPPETS;

/** What stands after columns, and not in them. */
export const WIDE: ReadonlySet<string> = new Set(['break', 'rule', 'columns', 'table']);

function cell(content: string, name = 'td', style = CELL): string {
  return `      <${name} style="${style}">${content}</${name}>\n`;
}

function tableOf(titles: readonly string[], rows: readonly string[]): string {
  const head = titles.map((title) => cell(title, 'th')).join('');
  const body = rows.map((row) => `    ${row}\n`).join('');
  return (
    '<table style="width: 100%; border-collapse: collapse">\n' +
    `  <thead>\n    <tr>\n${head}    </tr>\n  </thead>\n  <tbody>\n${body}  </tbody>\n</table>`
  );
}

/** Returns a table with a row for each item of a list. @param fields names of an item's fields */
export function repeatedTable(path: string, fields: readonly string[]): string {
  const item = loopName(path.split('.').at(-1) ?? path);
  const names = fields.length > 0 ? fields : text.sample.fields;
  const cells = names.map((name) => cell(`{{ ${item}.${name} }}`)).join('');
  return tableOf(names.map(titleOf), [
    `{% for ${item} in ${path} %}`,
    `<tr style="break-inside: avoid">\n${cells}    </tr>`,
    '{% endfor %}',
  ]);
}

/** Returns a table with the sum of a field of a list's items. */
export function totals(path: string, field: string): string {
  const sum = `{{ ${path} | sum(attribute="${field}") }}`;
  return (
    '<table style="margin-left: auto; border-collapse: collapse; font-weight: bold">\n' +
    `  <tr>\n${cell(text.sample.total, 'th')}${cell(sum, 'td', NUMBER)}  </tr>\n</table>`
  );
}

/** Returns a barcode of a field. @param format of the service; `qr` for a QR code */
export function barcode(expression: string, format: string): string {
  const filter = format === 'qr' ? 'qrcode(width=2.5)' : `barcode("${format}")`;
  return `<p>{{ ${expression} | ${filter} }}</p>`;
}

export function image(uri: string): string {
  return `<p><img src="{{ ${uri} }}" alt="" style="max-width: 100%; height: auto" /></p>`;
}

/** Returns the name of a field as a title: `Unit price` for `unit_price`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
