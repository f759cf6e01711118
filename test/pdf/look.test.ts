import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { field, file, post } from './ask.ts';
import { run, textPages, workspace } from './fixtures.ts';
import { change } from './form-material.ts';
import { richPdf } from './rich.ts';

/** Looking into documents, against what pikepdf put there and poppler sees. */

/** Two columns whose tags say that the right one is read first, and an artifact that they do not have. */
const COLUMNS = `
page = pdf.pages[0].obj
def text(mark, x, words): return f'/P <</MCID {mark}>> BDC BT /F 12 Tf {x} 700 Td ({words}) Tj ET EMC '
content = text(0, 72, 'left column') + text(1, 300, 'right column') + '/Artifact BMC BT /F 12 Tf 72 750 Td (heading of the sheet) Tj ET EMC'
page.Contents = pdf.make_stream(content.encode())
page.Resources = Dictionary(Font=Dictionary(F=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)))
page.StructParents = 0
root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
parts = [pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=root, Pg=page, K=mark)) for mark in [0, 1]]
root.K = Array([parts[1], parts[0]])
root.ParentTree = Dictionary(Nums=[0, Array(parts)])
pdf.Root.StructTreeRoot = root
pdf.Root.MarkInfo = Dictionary(Marked=True)
`;

async function info(path: string, ...more: Parameters<typeof post>[1]): Promise<Record<string, unknown>> {
  const answer = await post('/v1/pdf/info', [file(path), ...more], '/dev/null');
  expect(answer.status).toBe(200);
  return answer.problem;
}

describe('info', () => {
  it('returns pages, labels, outline, attachments, fields and metadata of a document', async () => {
    const at = workspace();
    richPdf(at('rich.pdf'), 'alpha');
    change(
      at('rich.pdf'),
      `
p = pdf.pages[1].obj; p.CropBox = [100, 100, 300, 500]; p.Rotate = 270
p.Resources.XObject = Dictionary(Im=pdf.make_stream(bytes(300), Type=Name.XObject, Subtype=Name.Image, Width=10, Height=10, BitsPerComponent=8, ColorSpace=Name.DeviceRGB))
p.Contents = pdf.make_stream(b'q 72 0 0 36 0 0 cm /Im Do Q')
pdf.docinfo['/CreationDate'] = "D:20240229120000+01'00'"; pdf.docinfo['/Custom'] = 'own'
pdf.Root.Lang = 'de-CH'
x = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="http://www.aiim.org/pdfa/ns/id/" xmlns:u="http://www.aiim.org/pdfua/ns/id/" a:part="3" a:conformance="A"><u:part>1</u:part></rdf:Description></rdf:RDF></x:xmpmeta>'
pdf.Root.Metadata = pdf.make_stream(x, Type=Name.Metadata, Subtype=Name.XML)
`,
    );
    expect(await info(at('rich.pdf'))).toMatchObject({
      pages: [
        { number: 1, label: 'i', rotation: 0 },
        // 200 by 400 points, turned.
        { number: 2, label: 'ii', rotation: 270, width: 14.1111, height: 7.0556 },
        { number: 3, label: 'A-1' },
      ],
      metadata: { Title: 'alpha title', CreationDate: '2024-02-29T12:00:00+01:00', Custom: 'own' },
      xmp: expect.stringContaining('pdfua') as string,
      conformance: ['pdf/a-3a', 'pdf/ua-1'],
      language: 'de-CH',
      tagged: true,
      encryption: null,
      outline: [
        {},
        {},
        { title: 'alpha entry 3', page: 3, items: [{ title: 'alpha child', page: 3, items: [] }] },
      ],
      attachments: [{ name: 'note.txt', bytes: 10 }],
      fonts: [{ name: 'Helvetica', embedded: false, subset: false }],
      images: [{ page: 2, width: 10, height: 10, dpi: 10 }],
      signatures: [],
    });
  });

  it('returns how a document is protected, with each name of the password field', async () => {
    const at = workspace();
    textPages(at('a.pdf'), ['one']);
    run('qpdf', '--encrypt', 'user', 'owner', '256', '--modify=none', '--', at('a.pdf'), at('b.pdf'));
    for (const name of ['input_password', 'password']) {
      expect((await info(at('b.pdf'), field(name, 'user')))['encryption']).toMatchObject({
        method: 'AES-256',
        permissions: { print: true, copy: true, modify: false, fill_forms: false },
      });
    }
    expect(await post('/v1/pdf/info', [file(at('b.pdf'))], at('x'))).toMatchObject({
      status: 422,
      problem: { code: 'pdf_password_required' },
    });
  });
});

describe('attachments', () => {
  it('are returned as a ZIP with unique names without folders, which are those of files everywhere', async () => {
    const at = workspace();
    textPages(at('a.pdf'), ['one']);
    change(
      at('a.pdf'),
      `
def spec(name, data): return pdf.make_indirect(Dictionary(Type=Name.Filespec, F=name, UF=name, EF=Dictionary(F=pdf.make_stream(data))))
pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Names=['a', spec('../../etc/é.txt', b'one'), 'b', spec('é.txt', b'two'), 'c', spec('x/.bashrc', b'.'), 'd', spec('a.txt:s.exe', b'.'), 'e', spec('CON', b'.'), 'f', spec('git~1', b'.')]))
pdf.pages[0].obj.Annots = Array([pdf.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.FileAttachment, Rect=[0, 0, 9, 9], FS=spec('c', b'three')))])
`,
    );
    const answer = await post('/v1/pdf/attachments', [file(at('a.pdf'))], at('out.zip'));
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } });
    expect(run('unzip', '-Z1', at('out.zip')).trim().split('\n')).toEqual([
      'é.txt',
      'é-2.txt',
      'bashrc',
      'a.txt_s.exe',
      'CON_',
      '_git_1',
      'c',
    ]);
    expect(run('unzip', '-p', at('out.zip'))).toBe('onetwo....three');
  });
});

describe('text', () => {
  it('is read in the order of the tags, with untagged text at the end', async () => {
    const at = workspace();
    textPages(at('a.pdf'), ['x', 'second page']);
    change(at('a.pdf'), COLUMNS);
    const answer = await post('/v1/pdf/text', [file(at('a.pdf'))], at('out.txt'));
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(readFileSync(at('out.txt'), 'utf8')).toBe(
      'right column\nleft column\nheading of the sheet\n\fsecond page\n\f',
    );
    await post('/v1/pdf/text', [file(at('a.pdf')), field('pages', '2')], at('out.txt'));
    expect(readFileSync(at('out.txt'), 'utf8')).toBe('second page\n\f');
  });

  it('as JSON has the same word positions as poppler, also on a cropped and rotated page', async () => {
    const at = workspace();
    textPages(at('a.pdf'), ['one two three']);
    change(at('a.pdf'), 'p = pdf.pages[0].obj; p.CropBox = [50, 400, 400, 800]; p.Rotate = 90');
    await post('/v1/pdf/text', [file(at('a.pdf')), field('format', 'json')], at('out.json'));
    const { pages } = JSON.parse(readFileSync(at('out.json'), 'utf8')) as {
      pages: { width: number; words: { text: string; x: number; y: number; w: number; h: number }[] }[];
    };
    run('pdftotext', '-bbox', '-cropbox', at('a.pdf'), at('out.html'));
    const seen = [
      ...readFileSync(at('out.html'), 'utf8').matchAll(/xMin="([\d.]+)" yMin="([\d.]+)".*>(\w+)</g),
    ];
    expect(seen).toHaveLength(3);
    expect(pages[0]?.width).toBeCloseTo((400 / 72) * 2.54, 3);
    for (const [index, [, x, y, text]] of seen.entries()) {
      const word = pages[0]?.words[index];
      expect(word?.text).toBe(text);
      // Two points: how high a line is, programs see a little differently.
      expect(Math.abs((word?.x ?? 0) - (Number(x) / 72) * 2.54)).toBeLessThan(0.15);
      expect(Math.abs((word?.y ?? 0) - (Number(y) / 72) * 2.54)).toBeLessThan(0.15);
    }
  });
});
