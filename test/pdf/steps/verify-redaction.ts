import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isPlatenError } from '../../../packages/core/src/errors.ts';
import { withRepair } from '../../../packages/pdf/src/operations/repair.ts';
import { processPdfs } from '../../../packages/pdf/src/steps/index.ts';
import { Random } from '../../support/random.ts';

/**
 * Takes words out of PDFs, which poppler and mutool find in them, and looks for these in the results: in what poppler
 * and mutool read, and, with pikepdf, in all strings and in all decompressed streams but those of font programs, XMP
 * and attachments too.
 *
 *   npm run verify -- redaction folder … [--documents=50] [--words=3] [--seed=1] [--minutes=20]
 *
 * Fails where one is found; words that a colour profile says of itself, and said before, are told of alone. A document
 * out of which not all can be taken is refused, which is no failure, and counted.
 */

const { values: wanted, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '50' },
    words: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const LARGEST = 500 * 1024;
const scratch = mkdtempSync(join(tmpdir(), 'platen-verify-redaction-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const at = (name: string): string => join(scratch, name);
let unopened = 0;
const random = new Random(Number(wanted.seed));

/** Prints where words are: "string of 12", "stream of 7". */
const SEARCH = `
import sys, re, json, pikepdf
words = [word.lower() for word in json.loads(sys.argv[2])]
try: pdf = pikepdf.open(sys.argv[1])
except pikepdf.PdfError: sys.exit(3)
fonts = set()
for one in pdf.objects:
    if isinstance(one, pikepdf.Dictionary):
        for key in ('/FontFile', '/FontFile2', '/FontFile3'):
            if key in one: fonts.add(one[key].objgen)
def look(text, where):
    for word in words:
        if word in text.lower(): print(json.dumps([word, where]))
def strings(value, where, depth=0):
    if isinstance(value, (pikepdf.String, str)): look(str(value), 'string of ' + where)
    elif depth > 50 or (depth > 0 and getattr(value, 'is_indirect', False)): return
    elif isinstance(value, pikepdf.Array):
        for one in value: strings(one, where, depth + 1)
    elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        # Names that are no UTF-8 cannot be asked for: such a dictionary is looked at as it is written.
        try: entries = [value[key] for key in value.keys()]
        except UnicodeDecodeError:
            written = value.unparse() if isinstance(value, pikepdf.Dictionary) else b''
            return look(written.decode('latin-1'), 'dictionary of ' + where)
        for one in entries: strings(one, where, depth + 1)
for number, one in enumerate(pdf.objects):
    where = str(getattr(one, 'objgen', (number, 0))[0])
    strings(one, where)
    # What is in object streams is looked at object by object.
    if isinstance(one, pikepdf.Stream) and one.objgen not in fonts and str(one.get('/Type', '')) not in ('/ObjStm', '/XRef'):
        try: data = one.read_bytes()
        except Exception: data = one.read_raw_bytes()
        # Operators of PostScript that CMaps are written in are no text (ISO 32000-2, 9.10.3).
        if b'begincmap' in data: data = re.sub(rb'\\b(find|define)resource\\b', b'', data)
        # Nor are the names with which content is marked and described (14.6).
        data = re.sub(rb'/[A-Za-z0-9]+(?=\\s*(?:<<|>>|/|BMC|BDC|MP|DP))', b'', data)
        # The signature of ICC profiles (ISO 15076-1, 7.2).
        kind = 'colour profile' if data[36:40] == b'acsp' else 'stream'
        for text in (data.decode('latin-1'), data.decode('utf-8', 'ignore'), data.decode('utf-16-be', 'ignore')):
            look(text, kind + ' of ' + where)
`;
writeFileSync(at('search.py'), SEARCH);

/** What a program prints; a document may keep it busy for hours. */
function printed(program: string, ...args: string[]): string {
  return spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 60_000 }).stdout;
}

/** A text of a document by poppler; nothing of one that it cannot read. */
const textOf = (path: string): string => printed('pdftotext', path, '-');
/** The same by mutool. */
const textByMutool = (path: string): string => printed('mutool', 'draw', '-q', '-F', 'txt', path);

/**
 * Some of the longer words of a document: shorter ones are in names of PDF too. Both programs have to read them, since each
 * makes words of its own of texts that lie over one another.
 */
function wordsOf(path: string): string[] {
  const other = textByMutool(path);
  const words = [...new Set(textOf(path).match(/\p{L}{7,20}/gu) ?? [])].filter((word) =>
    other.includes(word),
  );
  const chosen: string[] = [];
  while (chosen.length < Number(wanted.words) && words.length > 0)
    chosen.push(...words.splice(random.below(words.length), 1));
  return chosen;
}

/** What pikepdf finds; nothing in a document that it cannot open, as the document before could not be. */
function searched(path: string, words: readonly string[]): string[] {
  const args = [at('search.py'), path, JSON.stringify(words)];
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0 && status !== 3) throw new Error(stderr);
  if (status === 3) unopened++;
  return stdout.split('\n').filter((line) => line !== '');
}

const isInProfile = (hit: string): boolean => hit.includes('"colour profile of ');
/** Words that are in a colour profile. */
const wordsInProfiles = (found: readonly string[]): string[] => [
  ...new Set(found.filter(isInProfile).map((hit) => String((JSON.parse(hit) as unknown[])[0]))),
];

/** Where words are found in a document. */
function hits(path: string, words: readonly string[]): string[] {
  const texts = {
    poppler: textOf(path),
    mutool: textByMutool(path),
  };
  const read = Object.entries(texts).flatMap(([program, text]) =>
    words
      .filter((word) => text.toLowerCase().includes(word.toLowerCase()))
      .map((word) => `${program}: ${word}`),
  );
  return [...read, ...searched(path, words)];
}

const paths = positionals
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.toLowerCase().endsWith('.pdf'))
      .map((name) => join(folder, name)),
  )
  .filter((path) => statSync(path).size <= LARGEST)
  .sort();
const refused = new Map<string, number>();
let [documents, words, failures, inProfiles] = [0, 0, 0, 0];
while (documents < Number(wanted.documents) && paths.length > 0) {
  if (performance.now() > Number(wanted.minutes) * 60_000) break;
  const [path = ''] = paths.splice(random.below(paths.length), 1);
  const chosen = wordsOf(path);
  if (chosen.length === 0) continue;
  const output = at('output.pdf');
  try {
    const limits = { timeout: 60_000 };
    await withRepair([{ path }], mkdtempSync(at('repair-')), { limits }, (inputs) =>
      processPdfs(
        {
          inputs,
          output,
          steps: [{ name: 'redact', options: { words: chosen } }],
          breakSignatures: true,
          place: null,
          fonts: null,
        },
        { limits },
      ),
    );
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
    continue;
  }
  documents++;
  words += chosen.length;
  const all = hits(output, chosen);
  // What a profile says of itself is no text of the document: it is told of, where the file that came in has it too.
  const before = wordsInProfiles(all).length === 0 ? [] : wordsInProfiles(searched(path, chosen));
  const left = wordsInProfiles(all).filter((word) => before.includes(word));
  inProfiles += left.length;
  for (const word of left) console.log(`${basename(path)}: ${word} is in a colour profile, which stays`);
  const found = all.filter((hit) => !isInProfile(hit) || !left.some((word) => hit.includes(`["${word}"`)));
  if (found.length === 0) continue;
  failures++;
  console.log(`FAULT ${basename(path)}: ${chosen.join(', ')}: ${[...new Set(found)].slice(0, 5).join('; ')}`);
}
const others = Array.from(refused, ([code, count]) => `, ${count} refused as ${code}`).join('');
console.log(
  `${words} words of ${documents} documents${others}: found again in ${failures}; ` +
    `${inProfiles} in colour profiles too; ${unopened} not opened by pikepdf`,
);
process.exitCode = failures === 0 ? 0 : 1;
