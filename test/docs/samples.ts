import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { docx } from '../convert/documents.ts';

/** The files that the examples of the documentation take for granted. */

const TEXTS: Readonly<Record<string, string>> = {
  'chain.json': '[{"stamp": {"image": "logo", "position": "top-right"}}, {"page_numbers": {}}]',
  'customers.csv': 'number,name\n21,Ada\n22,Grace\n',
  'footer.html': '<p>{{ company }}, page</p>',
  'invoice.json': '{"number": 11, "items": []}',
  'letter.json': '{"name": "Ada"}',
  'look.css': 'h1 { color: #06c }',
  'print.css': 'h1 { color: #06c }',
};

/** Puts them into a folder. */
export async function putSamples(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(folder, name), text);
  copyFileSync('test/images/samples/x265.heic', join(folder, 'photo.heic'));
  copyFileSync('test/images/samples/rgba.png', join(folder, 'logo.png'));
  copyFileSync(
    'node_modules/@expo-google-fonts/caladea/400Regular/Caladea_400Regular.ttf',
    join(folder, 'Caladea.ttf'),
  );
  writeFileSync(join(folder, 'letter.docx'), await docx('Dear {{ name }}'));
  for (const [name, count] of Object.entries({ a: 1, annex: 2, b: 2, cover: 1, report: 12, scan: 1 }))
    writeFileSync(join(folder, `${name}.pdf`), await numbered(name, count));
  writeFileSync(join(folder, 'form.pdf'), await form());
  // The whole invoice that the page about them shows first.
  const invoice = /```json\n([^]*?)```/.exec(readFileSync('docs/factur-x.md', 'utf8'))?.[1] ?? '';
  writeFileSync(join(folder, 'e-invoice.json'), invoice);
}

/** A form for a person. */
async function form(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const fields = document.getForm();
  fields.createTextField('name').addToPage(page, { x: 20, y: 250, width: 200, height: 20 });
  fields.createTextField('address.city').addToPage(page, { x: 20, y: 220, width: 200, height: 20 });
  fields.createCheckBox('agree').addToPage(page, { x: 20, y: 190, width: 15, height: 15 });
  fields.createButton('photo').addToPage('', page, { x: 20, y: 80, width: 90, height: 90 });
  return await document.save();
}

/** A PDF whose pages say what they are. */
async function numbered(name: string, count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= count; page++)
    document.addPage([300, 300]).drawText(`${name} ${page}`, { x: 50, y: 150, size: 20, font });
  return await document.save();
}

const INVOICE = `<!doctype html><html lang="en"><title>Invoice</title><h1>Invoice {{ number }}</h1>
<table>{% for item in items %}<tr><td>{{ item.name }}<td>{{ "%.2f" | format(item.price) }}{% endfor %}</table>
`;

/** The head of a catalogue of gettext, and a message. */
const CATALOGUE = String.raw`msgid ""
msgstr "Language: de\nContent-Type: text/plain; charset=UTF-8\n"

msgid "Invoice"
msgstr "Rechnung"
`;

/** How the files come about that the examples of the OpenAPI document name, beside those above. */
const MADE: readonly string[] = [
  `curl -sS --fail-with-body $PLATEN/render/pdf -H "Authorization: $TOKEN" -o invoice.pdf -F file_data=@invoice.html -F 'render_data={"number": 7}'`,
  `curl -sS --fail-with-body $PLATEN/render/pdf -H "Authorization: $TOKEN" -o factur-x.pdf -F file_data=@invoice.html -F 'render_data=<e-invoice.json' \
    -F 'render_options={"factur_x": {"profile": "en16931", "data": "."}}'`,
  `curl -sS --fail-with-body $PLATEN/pdf/factur-x/extract -H "Authorization: $TOKEN" -o factur-x.xml -F file=@factur-x.pdf`,
  `curl -sS --fail-with-body $PLATEN/pdf/encrypt -H "Authorization: $TOKEN" -o locked.pdf -F file=@report.pdf -F 'password=open sesame'`,
  `curl -sS --fail-with-body $PLATEN/pdf/attach -H "Authorization: $TOKEN" -o attached.pdf -F file=@report.pdf -F part1=@letter.json \
    -F 'files=[{"file": "part1", "name": "letter.json"}]'`,
  `openssl req -x509 -newkey rsa:2048 -nodes -keyout seal.key -out seal.pem -days 365 -subj '/CN=Example Ltd' 2> seal.log
openssl pkcs12 -export -inkey seal.key -in seal.pem -out seal.p12 -passout pass:secret
curl -sS --fail-with-body -X PUT $PLATEN/keys/sample -H "Authorization: $TOKEN" -F pkcs12=@seal.p12 -F password=secret
curl -sS --fail-with-body $PLATEN/pdf/sign -H "Authorization: $TOKEN" -o signed.pdf -F file=@report.pdf -F key=sample`,
  `id=$(curl -sS --fail-with-body $PLATEN/template -H "Authorization: $TOKEN" -F file_data=@invoice.html \
    -F 'template_data={"name": "Exported", "format": "html"}' | jq -r .id)
curl -sS --fail-with-body "$PLATEN/export?template=$id" -H "Authorization: $TOKEN" -o templates.zip`,
];

/**
 * Puts those into the same folder.
 *
 * @param run runs a command there, with the service at hand
 */
export async function putExampleFiles(
  folder: string,
  run: (command: string) => Promise<void>,
): Promise<void> {
  writeFileSync(join(folder, 'invoice.html'), INVOICE);
  writeFileSync(join(folder, 'de.po'), CATALOGUE);
  for (const command of MADE) await run(command);
}
