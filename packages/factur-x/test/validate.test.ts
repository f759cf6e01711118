import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_FAULTS, PROFILES, RULES, ruleSetOf, SCHEMA_FILES, validateInvoice } from '../src/index.ts';
import { documented, exempt, whole, xmlOf } from './invoices.ts';
import { MUTATIONS } from './mutations.ts';

/** Validates invoices (I-44). `npm run verify -- factur-x` compares the results with Mustang's validator. */

const check = async (xml: string, ...rest: [{ profile: (typeof PROFILES)[number] }?]) =>
  await validateInvoice(Buffer.from(xml), ...rest);
const rulesOf = ({ faults }: Awaited<ReturnType<typeof check>>): string[] => faults.map(({ rule }) => rule);

describe('a valid invoice', () => {
  it.each(PROFILES)('like the documented example has no faults as %s', async (profile) => {
    const report = await check(xmlOf(documented(), profile));
    expect(report).toMatchObject({ profile, faults: [], warnings: [] });
    expect(ruleSetOf(profile)).toContain('EN 16931 1.3');
  });

  it.each(['en16931', 'extended', 'xrechnung'] as const)(
    'with every field of its profile has no faults as %s',
    async (profile) => {
      expect(await check(xmlOf(whole(), profile))).toMatchObject({ profile, faults: [], warnings: [] });
    },
  );

  it.each(['Z', 'E', 'AE', 'K', 'G', 'O'] as const)(
    'with the VAT category %s has no faults',
    async (category) => {
      expect(rulesOf(await check(xmlOf(exempt(category), 'en16931')))).toEqual([]);
    },
  );

  it('may be in UTF-16, with a declaration that names it', async () => {
    const xml = xmlOf(documented(), 'en16931');
    const wide = Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect((await validateInvoice(wide)).faults).toEqual([]);
    const latin = Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect((await validateInvoice(latin)).faults).toEqual([]);
  });
});

describe('an invoice with a fault', () => {
  it.each(MUTATIONS.map((mutation) => [mutation.rule, mutation.profile, mutation.what, mutation] as const))(
    'is refused by %s as %s (%s)',
    async (rule, _profile, _what, mutation) => {
      expect(rulesOf(await check(mutation.xml()))).toContain(rule);
    },
  );

  it('is reported with the place of the fault', async () => {
    const { faults } = await check(xmlOf(documented(), 'en16931').replace('unitCode="HUR"', ''));
    expect(faults.find(({ rule }) => rule === 'BR-23')).toMatchObject({
      detail: expect.stringContaining('BT-130') as string,
      element: '/CrossIndustryInvoice/SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem[2]',
      line: expect.any(Number) as number,
    });
  });

  it('in its structure is refused by the schema of its profile', async () => {
    const { faults } = await check(
      xmlOf(documented(), 'minimum').replace('<ram:BuyerTradeParty>', '<ram:Surprise/><ram:BuyerTradeParty>'),
    );
    expect(faults).toMatchObject([{ rule: 'xsd', detail: expect.stringContaining('Surprise') as string }]);
    // BASIC WL has no lines.
    const lined = xmlOf(documented(), 'basic').replace(/urn:cen[^<]*/, 'urn:factur-x.eu:1p0:basicwl');
    expect(rulesOf(await check(lined))).toContain('xsd');
  });

  it('with another profile than the requested one is a fault that names both', async () => {
    const { faults } = await check(xmlOf(documented(), 'basic'), { profile: 'en16931' });
    expect(faults[0]).toMatchObject({
      rule: 'profile',
      detail: expect.stringContaining('profile basic') as string,
    });
  });

  it('with missing recommended fields gives warnings', async () => {
    const json = {
      ...documented(),
      payment: { means: '58', creditTransfers: [{ iban: 'DE00370400440532013000' }] },
    };
    const report = await check(xmlOf(json, 'xrechnung'));
    expect(report.faults).toEqual([]);
    expect(report.warnings.map(({ rule }) => rule)).toEqual(['BR-DE-19']);
  });
});

describe('XML that is not an invoice', () => {
  const entity = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  it.each([
    ['', 'root element'],
    ['no XML at all', 'not well-formed'],
    ['<a><b></a>', 'not well-formed'],
    [`${entity}<r>&x;</r>`, 'document type'],
    ['<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>', 'document type'],
    ['<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>', 'Invoice'],
    ['<CrossIndustryInvoice/>', 'Cross Industry Invoice'],
    ['<a>'.repeat(200), 'deep'],
    ['<?xml version="1.0" encoding="x-unknown"?><a/>', 'x-unknown'],
    [`<a>${'<b/>'.repeat(260_000)}</a>`, 'elements'],
    [`<a>${' '.repeat(11 * 1024 * 1024)}</a>`, 'MB'],
  ])('is reported as a fault: %.40s', async (xml, what) => {
    const report = await check(xml);
    expect(report).toMatchObject({ profile: null, faults: [{ rule: 'xml' }] });
    expect(report.faults[0]?.detail).toContain(what);
  });

  it('is reported with the unknown profile that it names', async () => {
    const xml = xmlOf(documented(), 'en16931').replace(/urn:cen[^<]*/, 'urn:of:nobody');
    expect((await check(xml)).faults).toMatchObject([
      { rule: 'profile', detail: expect.stringContaining('urn:of:nobody') as string },
    ]);
  });
});

describe('the check', () => {
  /** Returns an invoice with that many lines, each with a different VAT rate. */
  const long = (lines: number): string => {
    const [line] = documented()['lines'] as Record<string, unknown>[];
    const many = Array.from({ length: lines }, (_, index) => ({
      ...line,
      id: String(index),
      vat: { category: 'S', rate: `19.${String(index).padStart(6, '0')}` },
    }));
    return xmlOf({ ...documented(), lines: many }, 'en16931');
  };

  it('takes time in proportion to the size of the invoice', async () => {
    const cpu = async (xml: string): Promise<number> => {
      const before = process.cpuUsage();
      await check(xml);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const [small, large] = [long(300), long(1_200)];
    await cpu(small);
    const base = Math.max(20_000, await cpu(small));
    expect((await cpu(large)) / base).toBeLessThan(4 * 4);
  });

  it('names the first of a thousand faults, and counts the others', async () => {
    const report = await check(long(1_000).replaceAll('unitCode="H87"', ''));
    expect(report.faults).toHaveLength(MAX_FAULTS);
    expect(report.more).toBeGreaterThan(0);
  });

  it('has all schemas of the package, and rules with different names', () => {
    const folder = path.resolve(import.meta.dirname, '../schemas');
    expect(globSync('*/*.xsd', { cwd: folder }).sort()).toEqual([...SCHEMA_FILES]);
    for (const profile of PROFILES) {
      const ids = RULES.filter(({ profiles }) => profiles.has(profile)).map(({ id }) => id);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    }
  });
});
