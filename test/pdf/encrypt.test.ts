import { describe, expect, it } from 'vitest';
import type { MultipartPart } from '../support/gateway-event.ts';
import { type Answer, field, file, post } from './ask.ts';
import { expectSound, pageTexts, run, textPages, workspace } from './fixtures.ts';

/** The protection of a document, by the route and by the step, whose members have the same names (I-32, I-46). */

type Fields = Readonly<Record<string, unknown>>;

const BY_ROUTE = (fields: Fields): MultipartPart[] =>
  Object.entries(fields).map(([name, value]) => field(name, value));
const BY_STEP = (fields: Fields): MultipartPart[] => [field('steps', [{ encrypt: fields }])];

describe.each([
  ['/v1/pdf/encrypt', BY_ROUTE],
  ['/v1/pdf/process', BY_STEP],
])('%s', (path, partsOf) => {
  const sent = async (at: (name: string) => string, fields: Fields): Promise<Answer> =>
    await post(path, [file(textPages(at('a.pdf'), ['one'])), ...partsOf(fields)], at('e.pdf'));
  const shown = (protectedBy: string, password: string): string =>
    run('qpdf', '--show-encryption', `--password=${password}`, protectedBy);

  it('protects a document that anybody can open by an owner password alone', async () => {
    const at = workspace();
    const permissions = { fill_forms: true, print: false };
    expect(await sent(at, { owner_password: 'bøss', permissions })).toMatchObject({ status: 200 });
    expectSound(at('e.pdf'));
    expect(pageTexts(at('e.pdf'))).toEqual(['one']);
    expect(run('pdfinfo', at('e.pdf'))).toContain('print:no copy:no change:no addNotes:no algorithm:AES-256');
    expect(shown(at('e.pdf'), '')).toMatch(/Supplied password is user password[^]*modify forms: allowed/);
    expect(shown(at('e.pdf'), 'bøss')).toContain('Supplied password is owner password');
  });

  it('gives the owner password all permissions, and the other one those that are named', async () => {
    const at = workspace();
    expect(await sent(at, { password: 'open', owner_password: 'boss' })).toMatchObject({ status: 200 });
    expect(() => run('pdfinfo', at('e.pdf'))).toThrow('Incorrect password');
    expect(shown(at('e.pdf'), 'open')).toMatch(
      /Supplied password is user password[^]*modify anything: not allowed/,
    );
    expect(shown(at('e.pdf'), 'boss')).toContain('Supplied password is owner password');
  });

  it.each([
    [{}, 'missing_field', 'password'],
    [{ permissions: { copy: true } }, 'missing_field', 'password'],
    // Every reader would have all permissions.
    [{ password: 'same', owner_password: 'same' }, 'invalid_field', 'owner_password'],
    [{ password: 'x', permissions: { fly: true } }, 'invalid_option', 'permissions'],
    [{ owner_password: '€'.repeat(43) }, 'invalid_field', 'owner_password'],
  ])('refuses %j', async (fields, code, name) => {
    const at = workspace();
    const { status, problem } = await sent(at, fields);
    expect({ status, problem }).toMatchObject({ status: 422, problem: { code } });
    expect(JSON.stringify(problem['errors'])).toMatch(
      new RegExp(`"field":"(?:steps\\[0\\]\\.encrypt\\.)?${name}"`),
    );
    expect(JSON.stringify(problem)).not.toMatch(/same"|€/);
  });
});
