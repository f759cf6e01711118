import type { RedactStep } from '../../../packages/pdf/src/steps/types.ts';
import { expectSound, rawPdf, rawStream, run } from '../fixtures.ts';
import { chain } from './chain.ts';
import { python } from '../../support/python.ts';

/** What the tests of `redact` have in common. */

export const redacted = async (input: string, output: string, options: RedactStep): Promise<string> => {
  await chain([input], output, [{ name: 'redact', options }]);
  expectSound(output);
  return output;
};

/** Looks for words in every stream, decoded, in every string, and in what poppler reads; ciphers of fonts hide none here. */
export function hits(path: string, words: readonly string[]): string[] {
  const script = `
import sys, re, pikepdf
pdf = pikepdf.open(sys.argv[1]); words = [w.lower() for w in sys.argv[2:]]; found = []
def look(where, text):
    for w in words:
        if w in text.lower(): found.append(f'{where}: {w}')
def walk(value, where, level=0):
    if level > 30: return
    if isinstance(value, pikepdf.String): look(where, str(value))
    elif isinstance(value, pikepdf.Array):
        for one in value: walk(one, where, level + 1) if not getattr(one, 'is_indirect', False) else None
    elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        for key in value.keys():
            one = value[key]
            if not getattr(one, 'is_indirect', False): walk(one, where + key, level + 1)
for number, value in enumerate(pdf.objects, 1):
    walk(value, str(number))
    if isinstance(value, pikepdf.Stream) and value.get('/Subtype') != '/Image':
        try: data = value.read_bytes()
        except Exception: continue
        for text in (data.decode('latin1'), data.decode('utf8', 'replace'), data.decode('utf-16', 'replace')): look(f'{number} stream', text)
        for hexa in re.findall(rb'<([0-9a-fA-F]+)>', data): look(f'{number} hex', bytes.fromhex((hexa + b'0' * (len(hexa) % 2)).decode()).decode('latin1'))
walk(pdf.trailer, 'trailer')
print('\\n'.join(sorted(set(found))))
`;
  const inFile = python(script, path, ...words).trim();
  const text = run('pdftotext', path, '-').toLowerCase();
  const read = words.filter((word) => text.includes(word.toLowerCase())).map((word) => `text: ${word}`);
  return [...(inFile === '' ? [] : inFile.split('\n')), ...read];
}

/** A page of 400 by 300 points with a font that the file does not have. */
export function page(path: string, content: string, entries = '', more: string[] = []): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] ${entries} >>`,
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R /C 6 0 R >> /XObject << /X 7 0 R >> >> >>',
    rawStream('', content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    ...(more.length > 0 ? more : [rawStream('/Type /XObject /Subtype /Form /BBox [0 0 1 1]', '')]),
  ]);
}
