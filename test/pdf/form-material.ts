import { writeFileSync } from 'node:fs';
import { python } from '../support/python.ts';

/** Forms for the tests, made and read with pikepdf. */

/** A page with a field of each kind. Its fonts are not embedded, and most of its fields have no appearance. */
const FORM = `
import sys, pikepdf
from pikepdf import Name, Dictionary, Array, String
pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(595, 842)).obj
page.Annots = Array()
helv = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
times = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name('/Times-Bold')))
mark = lambda ops: pdf.make_stream(ops, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 20, 20])
fields = []
def widget(rect, **more):
    w = pdf.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=rect, F=4, **more))
    page.Annots.append(w); return w
def field(name, rect, kind, **more):
    w = widget(rect, FT=Name('/' + kind), T=String(name), **more); fields.append(w); return w
MK = lambda: Dictionary(BC=[0, 0, 1], BG=[0.95, 0.95, 1])
field('name', [50, 780, 300, 800], 'Tx', DA='/Helv 12 Tf 0 g', MK=MK())
field('auto', [320, 780, 560, 800], 'Tx', DA='/TiBo 0 Tf 1 0 0 rg', Q=2)
field('notes', [50, 680, 300, 770], 'Tx', Ff=1 << 12, DA='/Helv 10 Tf 0 g', MK=MK())
field('iban', [320, 740, 560, 770], 'Tx', Ff=1 << 24, MaxLen=10, DA='/Helv 12 Tf 0 g', MK=MK())
field('secret', [320, 700, 560, 720], 'Tx', Ff=1 << 13, DA='/Helv 12 Tf 0 g')
field('agree', [50, 650, 70, 670], 'Btn', MK=Dictionary(CA='4', BC=[0]), V=Name.Off, AS=Name.Off,
      AP=Dictionary(N=Dictionary(Ja=mark(b'2 2 16 16 re f'))))
field('bare', [80, 650, 100, 670], 'Btn', MK=Dictionary(CA='8', BC=[0]))
radio = pdf.make_indirect(Dictionary(FT=Name.Btn, T='colour', Ff=(1 << 15) | (1 << 14), Kids=Array()))
for i, state in enumerate(['red', 'green', 'blue']):
    w = widget([120 + 30 * i, 650, 140 + 30 * i, 670], Parent=radio, MK=Dictionary(CA='l', BC=[0]), AS=Name.Off,
      AP=Dictionary(N=Dictionary({'/' + state: mark(b'5 5 10 10 re f'), '/Off': mark(b'')})))
    radio.Kids.append(w)
fields.append(radio)
field('country', [50, 600, 200, 620], 'Ch', Ff=1 << 17, Opt=[['DE', 'Germany'], ['FR', 'France']], DA='/Helv 12 Tf 0 g', MK=MK())
field('town', [220, 600, 370, 620], 'Ch', Ff=(1 << 17) | (1 << 18), Opt=['Bonn', 'Ulm'], DA='/Helv 12 Tf 0 g')
field('tags', [50, 520, 200, 590], 'Ch', Ff=1 << 21, Opt=['a', 'b', 'c', 'd'], DA='/Helv 12 Tf 0 g', MK=MK())
field('photo', [400, 520, 560, 690], 'Btn', Ff=1 << 16, MK=Dictionary(BC=[0]))
field('turned', [300, 450, 330, 590], 'Tx', DA='/Helv 12 Tf 0 g', MK=Dictionary(R=90, BC=[0]))
top = pdf.make_indirect(Dictionary(T='address', Kids=Array()))
for i, n in enumerate(['street', 'city']):
    w = widget([50, 480 - 30 * i, 250, 500 - 30 * i], T=String(n), FT=Name.Tx, Parent=top, DA='/Helv 12 Tf 0 g', MK=MK()); top.Kids.append(w)
fields.append(top)
field('sig', [50, 400, 200, 430], 'Sig')
pdf.Root.AcroForm = Dictionary(Fields=fields, DA='/Helv 12 Tf 0 g', NeedAppearances=True, DR=Dictionary(Font=Dictionary(Helv=helv, TiBo=times)))
pdf.save(sys.argv[1])
`;

/** What every script begins with that changes a document. */
const CHANGE = `
import sys, pikepdf
from pikepdf import Array, Dictionary, Name, String
pdf = pikepdf.open(sys.argv[1], allow_overwriting_input=True)
`;

const READ = `
import sys, json, pikepdf
pdf = pikepdf.open(sys.argv[1], password=sys.argv[2])
found = {}
def text(value):
    if isinstance(value, pikepdf.Dictionary): return 'signed'
    if isinstance(value, pikepdf.Array): return [text(one) for one in value]
    return str(value)
def walk(field, name, kind):
    own = str(field.get('/T', ''))
    name = '.'.join(part for part in [name, own] if part)
    kind = field.get('/FT', kind)
    kids = [kid for kid in field.get('/Kids', []) if '/T' in kid]
    for kid in kids: walk(kid, name, kind)
    if not kids and kind is not None:
        found[name] = {'type': str(kind), 'value': text(field.V) if '/V' in field else None,
            'states': [str(w.AS) for w in field.get('/Kids', [field]) if '/AS' in w]}
form = pdf.Root.get('/AcroForm')
for field in (form.Fields if form is not None else []): walk(field, '', None)
print(json.dumps(found))
`;

/** Writes a form with a field of each kind. */
export function makeForm(path: string): string {
  python(FORM, path);
  return path;
}

/** Has lines of Python change a document, which they know as `pdf`. */
export function change(path: string, lines: string): string {
  python(`${CHANGE}${lines}\npdf.save(sys.argv[1])\n`, path);
  return path;
}

/** What pikepdf finds in the fields of a document. */
export function fieldsByPikepdf(
  path: string,
  password = '',
): Record<string, { type: string; value: string | string[] | null; states: string[] }> {
  return JSON.parse(python(READ, path, password)) as ReturnType<typeof fieldsByPikepdf>;
}

/** Counts the fields of documents, roughly; of one that pikepdf does not open there are none. */
const COUNT = `
import sys, json, logging, pikepdf
logging.disable(logging.CRITICAL)
def count(fields, depth=0):
    below = lambda field: [kid for kid in field.get('/Kids', []) if '/T' in kid]
    return sum(count(below(f), depth + 1) if below(f) and depth < 20 else 1 for f in fields)
found = {}
for path in json.load(open(sys.argv[1])):
    try: found[path] = count(pikepdf.open(path).Root.AcroForm.Fields)
    except Exception: pass
print(json.dumps(found))
`;

/** How many fields there are in documents, by their paths. @param list where the paths may be written */
export function fieldCounts(paths: readonly string[], list: string): Map<string, number> {
  writeFileSync(list, JSON.stringify(paths));
  const counts = JSON.parse(python(COUNT, list)) as Record<string, number>;
  return new Map(Object.entries(counts));
}
