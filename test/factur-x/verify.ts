/**
 * Compares what our check says of invoices with what Mustang's validator says of them. Valid ones of every profile
 * have to be valid for both, and of each mutation both have to name the rule. Needs a JVM and Maven, takes a minute.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROFILES, validateInvoice } from '../../packages/factur-x/src/index.ts';
import { documented, exempt, whole, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { MUTATIONS } from '../../packages/factur-x/test/mutations.ts';
import { judgeInvoices, MUSTANG } from './mustang.ts';

const work = mkdtempSync(path.join(tmpdir(), 'platen-mustang-'));

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

let wrong = 0;
try {
  const files = cases.map(({ xml }, index) => {
    const file = path.join(work, `${String(index).padStart(4, '0')}.xml`);
    writeFileSync(file, xml);
    return file;
  });
  const judged = judgeInvoices(files);
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
  console.log(`${cases.length - wrong} of ${cases.length} invoices are judged alike by Mustang ${MUSTANG}.`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
