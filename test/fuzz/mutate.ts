import { unzip, zip } from '../office/build.ts';
import type { Random } from '../support/random.ts';

/** Changes to files and to fields: of any bytes, and of what their formats are made of. */

/** A file to be changed. */
export interface Sample {
  name: string;
  bytes: Buffer;
}

/** A changed copy of a file; `other` gives pieces that are put into it. */
export async function mutatedFile(sample: Sample, other: Sample, random: Random): Promise<Buffer> {
  const kind = random.below(10);
  if (kind === 0) return sample.bytes;
  if (kind === 1) return other.bytes;
  if (kind === 2) return sample.bytes.subarray(0, random.below(sample.bytes.length + 1));
  if (kind === 3) return spliced(sample.bytes, other.bytes, random);
  if (kind < 8) {
    if (sample.bytes.subarray(0, 4).equals(ZIP)) return await mutatedPackage(sample.bytes, random);
    if (sample.bytes.subarray(0, 5).toString('latin1') === '%PDF-') return mutatedPdf(sample.bytes, random);
    return mutatedHead(sample.bytes, random);
  }
  return flipped(sample.bytes, random, sample.bytes.length);
}

const ZIP = Buffer.from('PK\x03\x04', 'latin1');

function spliced(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const [at, from] = [random.below(bytes.length + 1), random.below(other.length + 1)];
  const piece = other.subarray(from, from + random.below(4_096));
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + random.below(64))]);
}

/** Bits and bytes of the first `within` bytes. */
function flipped(original: Buffer, random: Random, within: number): Buffer {
  const bytes = Buffer.from(original);
  for (let times = 1 + random.below(16); times > 0 && bytes.length > 0; times -= 1) {
    const at = random.below(Math.min(within, bytes.length));
    const byte = bytes[at] ?? 0;
    bytes[at] = random.once(2) ? byte ^ (1 << random.below(8)) : random.pick([0, 0xff, 0x7f, 0x80, 1]);
  }
  return bytes;
}

/** Of images: where sizes, counts and offsets stand. */
function mutatedHead(bytes: Buffer, random: Random): Buffer {
  return flipped(bytes, random, 256);
}

/** Of office files: a part is changed, emptied, doubled, taken away or named anew, and the package closed again. */
async function mutatedPackage(bytes: Buffer, random: Random): Promise<Buffer> {
  // Its own directory, whose sizes and offsets then do not fit.
  if (random.once(3)) return flipped(bytes, random, bytes.length);
  const parts = new Map(await unzip(bytes));
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const names = [...parts.keys()];
    const name = names[random.below(names.length)];
    if (name === undefined) break;
    const part = parts.get(name) ?? Buffer.alloc(0);
    const kind = random.below(7);
    if (kind === 0) parts.delete(name);
    else if (kind === 1) parts.set(name, Buffer.alloc(0));
    else if (kind === 2) parts.set(`${random.pick(['x', 'word', '_rels', 'META-INF'])}/${name}`, part);
    else if (kind === 3) parts.set(name, mutatedText(part, random));
    else if (kind === 4) parts.set(name, flipped(part, random, part.length));
    else if (kind === 5) parts.set(name, spliced(part, part, random));
    else parts.set(name, part.subarray(0, random.below(part.length + 1)));
  }
  return await zip(Object.fromEntries(parts));
}

const TEXTS: readonly [string, ...string[]] = [
  '{{ name }}',
  '{% for a in range(10000000) %}x{% endfor %}',
  '{% if',
  '{{ ""|attr("__class__") }}',
  '{%- raw -%}',
  '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
  '&b;',
  '<x:y xmlns:x="urn:x">'.repeat(50),
  ']]>',
  '\u0000',
  '\ud83d',
  '99999999999999999999',
  '-1',
  'NaN',
  '</w:p>',
];

/** Of XML: numbers grow, tags are lost, texts come in between. */
function mutatedText(part: Buffer, random: Random): Buffer {
  const text = part.toString('utf8');
  const at = random.below(text.length + 1);
  const kind = random.below(4);
  if (kind === 0) return Buffer.from(text.slice(0, at) + random.pick(TEXTS) + text.slice(at));
  if (kind === 1) {
    return Buffer.from(
      text.slice(0, at) + text.slice(at).replace(/\d+/, () => String(random.below(2 ** 31))),
    );
  }
  if (kind === 2) return Buffer.from(text.slice(0, at) + text.slice(at).replace(/<[^>]*>/, ''));
  return Buffer.from(text.slice(0, at) + text.slice(at).replace(/="[^"]*"/, `="${random.pick(TEXTS)}"`));
}

/** Of PDFs: numbers of the table of objects, references, lengths, and names that mean something. */
function mutatedPdf(original: Buffer, random: Random): Buffer {
  let text = original.toString('latin1');
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(text.length);
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    const number = String(random.pick([0, 1, -1, 2 ** 31, 65_535, 4_294_967_296, 9_999_999_999]));
    const kind = random.below(7);
    if (kind === 0) text = head + tail.replace(/\d{10} \d{5} [nf]/, `${number.padStart(10, '0')} 00000 n`);
    else if (kind === 1) text = head + tail.replace(/(\d+) 0 R/, `${random.below(60)} 0 R`);
    else if (kind === 2) text = head + tail.replace(/\/Length \d+/, `/Length ${number}`);
    else if (kind === 3) text = text.replace(/startxref\s+\d+/, `startxref\n${number}`);
    else if (kind === 4) text = head + tail.replace(/\/Count \d+/, `/Count ${number}`);
    else if (kind === 5) text = head + tail.replace(/\/(Kids|Parent|Type|Filter|Root|MediaBox)/, '/Prev');
    else text = head + tail.replace(/\d+/, number);
  }
  return Buffer.from(text, 'latin1');
}

const VALUES: readonly [string, ...string[]] = [
  '',
  'null',
  'true',
  '{}',
  '[]',
  '[[]]',
  '[1]',
  '[0]',
  '[9999999]',
  '[[1,2],[0]]',
  '"x"',
  '1e999',
  '-0',
  '0x10',
  '{"a":',
  '{"__proto__":{"x":1}}',
  '{"constructor":1,"toString":2}',
  '{"scale":7,"landscape":"perhaps"}',
  '{"paper_format":"A7"}',
  '{"margin_top":-1}',
  '{"page_range":"5-1,,-"}',
  '{"encrypt_password":"p"}',
  '{"rendering_engine":"netscape"}',
  '{"unknown_option":1}',
  'upload:01kaaaaaaaaaaaaaaaaaaaaaaa',
  '../../etc/passwd',
  'x'.repeat(70_000),
  '\u202e\u0000\ud83d\ude00',
  '{% for i in range(99999999) %}x{% endfor %}',
  "{{ ''.__class__.__mro__ }}",
  '['.repeat(2_000),
];

/** A changed text field. */
export function mutatedField(text: string, random: Random): string {
  const kind = random.below(5);
  const at = random.below(text.length + 1);
  if (kind === 0) return random.pick(VALUES);
  if (kind === 1) return text.slice(0, at);
  if (kind === 2) return text.slice(0, at) + random.pick(VALUES) + text.slice(at);
  if (kind === 3) return text.replaceAll(/\d+/g, () => String(random.pick([-1, 0, 1e9, 2 ** 53])));
  return text.slice(0, at) + String.fromCharCode(random.below(65_536)) + text.slice(at + 1);
}
