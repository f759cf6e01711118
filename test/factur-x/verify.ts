/**
 * `npm run verify:factur-x`: what our check says of invoices, and what Mustang's validator says of them. Valid ones of
 * every profile have to be valid for both, and of each mutation both have to name the rule. Needs a JVM and Maven, takes
 * a minute. A folder as argument keeps Mustang's jars there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROFILES, validateInvoice } from '../../packages/factur-x/src/index.ts';
import { documented, exempt, whole, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { MUTATIONS } from '../../packages/factur-x/test/mutations.ts';

const VERSION = '2.25.0';
const work = mkdtempSync(path.join(tmpdir(), 'platen-mustang-'));
const kept = process.argv[2];
const jars = kept === undefined ? path.join(work, 'jars') : path.resolve(kept);

interface Case {
  name: string;
  xml: string;
  /** null: it is valid. */
  rule: string | null;
}

const valid = (name: string, xml: string): Case => ({ name, xml, rule: null });
const cases: Case[] = [
  ...PROFILES.map((profile) => valid(`documented ${profile}`, xmlOf(documented(), profile))),
  ...(['en16931', 'extended', 'xrechnung'] as const).map((profile) =>
    valid(`whole ${profile}`, xmlOf(whole(), profile)),
  ),
  ...(['Z', 'E', 'AE', 'K', 'G', 'O'] as const).map((category) =>
    valid(`exempt ${category}`, xmlOf(exempt(category), 'en16931')),
  ),
  ...MUTATIONS.map(({ rule, profile, what, xml }) => ({ name: `${profile} ${what}`, xml: xml(), rule })),
];

/** Gets the validator with all that it needs from Maven. */
function fetchJars(): void {
  if (existsSync(path.join(jars, `validator-${VERSION}.jar`))) return;
  mkdirSync(jars, { recursive: true });
  const dependency = `<groupId>org.mustangproject</groupId><artifactId>validator</artifactId><version>${VERSION}</version>`;
  writeFileSync(
    path.join(work, 'pom.xml'),
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId>' +
      '<artifactId>x</artifactId><version>1</version>' +
      `<dependencies><dependency>${dependency}</dependency></dependencies></project>`,
  );
  execFileSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`], {
    cwd: work,
    stdio: 'inherit',
  });
}

/** The rules that Mustang names, by file. */
function judge(files: readonly string[]): Map<string, { isValid: boolean; rules: string[] }> {
  const source = path.join(import.meta.dirname, 'Judge.java');
  const output = execFileSync('java', ['-Xmx900m', '-cp', `${jars}/*`, source], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const reports = output.matchAll(/^FILE (\S+) (true|false)\n([^]*?)^END$/gm);
  return new Map(
    Array.from(reports, ([, file = '', isValid, report = '']) => {
      const errors = Array.from(report.matchAll(/<error [^]*?<\/error>/g), ([error]) => error);
      const rules = errors.flatMap((error) =>
        Array.from(error.matchAll(/\[ID ([\w-]+)\]/g), ([, id = '']) => id),
      );
      return [file, { isValid: isValid === 'true', rules }];
    }),
  );
}

let wrong = 0;
try {
  fetchJars();
  const files = cases.map(({ xml }, index) => {
    const file = path.join(work, `${String(index).padStart(4, '0')}.xml`);
    writeFileSync(file, xml);
    return file;
  });
  const judged = judge(files);
  for (const [index, { name, xml, rule }] of cases.entries()) {
    const ours = (await validateInvoice(Buffer.from(xml))).faults.map((fault) => fault.rule);
    const theirs = judged.get(files[index] ?? '');
    const agreed =
      rule === null
        ? ours.length === 0 && theirs?.isValid === true
        : ours.includes(rule) && theirs?.rules.includes(rule) === true;
    if (agreed) continue;
    wrong += 1;
    console.log(
      `${rule ?? 'valid'} (${name}): ours ${ours.join(', ')}; Mustang's ${theirs?.rules.join(', ')}`,
    );
  }
  console.log(`${cases.length - wrong} of ${cases.length} invoices are judged alike by Mustang ${VERSION}.`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
