import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from '../../packages/print/src/fetcher/index.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { signPdf } from '../../packages/signatures/src/sign.ts';
import { verifyPdf } from '../../packages/signatures/src/verify.ts';
import { type Authority, openAuthority, plainPdf } from './support.ts';

/** Signing and verifying (I-45), judged by pyHanko too. */

let authority: Authority;
const loader = createFetcher({ outside: 'open', isAllowedAddress: () => true, timeout: 20_000 });
beforeAll(async () => {
  authority = await openAuthority();
});
afterAll(() => authority.close());

/** What pyHanko is to say of each document: it is asked once, at the end, since it takes seconds to start. */
const cases: { name: string; pdf: Uint8Array; expected: object[] }[] = [];
function expectVerdict(pdf: Uint8Array, ...expected: object[]): void {
  cases.push({ name: expect.getState().currentTestName ?? '', pdf, expected });
}

const verify = (pdf: Uint8Array, anchors = authority.anchors) => verifyPdf(pdf, { anchors });
const timestamps = () => ({ url: `${authority.server.url}/tsa`, loader });

describe('b-b', () => {
  it('is valid in pyHanko and in Platen, with all of its fields', async () => {
    const said = { reason: 'Paid (in full)', location: 'Zürich – 漢字', contact: 'a@example.org' };
    const pdf = await signPdf(plainPdf(), authority.signer('Signer', { kind: 'rsa' }), said);
    expectVerdict(pdf, { valid: true, coverage: 'ENTIRE_FILE', permitted: true });
    const [signature, ...others] = await verify(pdf);
    expect(others).toEqual([]);
    expect(signature).toMatchObject({
      ...said,
      signer: 'CN=Signer, O=Acme',
      level: 'b-b',
      subfilter: 'ETSI.CAdES.detached',
      certify: 'none',
      intact: true,
      trusted: true,
      trustFault: null,
      timeSource: 'signer',
      coversWholeFile: true,
      changesSince: [],
    });
    expect(signature?.chain.map(({ subject }) => subject)).toEqual([
      'CN=Signer, O=Acme',
      'CN=Test Authority, O=Platen',
    ]);
  });

  it('leaves every byte of the document as it was', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'));
    expect(pdf.subarray(0, plainPdf().length).equals(plainPdf())).toBe(true);
  });

  it('keeps the signatures that are there valid', async () => {
    const once = await signPdf(plainPdf(), authority.signer('Signer'));
    const twice = await signPdf(once, authority.signer('Second'));
    expectVerdict(twice, { valid: true }, { valid: true, coverage: 'ENTIRE_FILE' });
    expect(await verify(twice)).toMatchObject([
      {
        field: 'Signature1',
        intact: true,
        coversWholeFile: false,
        changesSince: ['signatures'],
        changesAllowed: true,
      },
      { field: 'Signature2', intact: true, coversWholeFile: true, changesSince: [] },
    ]);
  });
});

describe('certify', () => {
  it.each(['no_changes', 'forms', 'annotations'] as const)(
    '%s is read by pyHanko and by Platen',
    async (certify) => {
      const pdf = await signPdf(plainPdf(), authority.signer('Signer'), { certify });
      expectVerdict(pdf, { valid: true });
      expect(await verify(pdf)).toMatchObject([{ certify, changesAllowed: true }]);
      const second = signPdf(pdf, authority.signer('Second'));
      if (certify === 'no_changes') await expect(second).rejects.toMatchObject({ code: 'invalid_field' });
      else expectVerdict(await second, { valid: true }, { valid: true });
    },
  );

  it('is refused for a document that is signed', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'));
    await expect(signPdf(pdf, authority.signer('Second'), { certify: 'forms' })).rejects.toMatchObject({
      faults: [{ field: 'certify' }],
    });
  });
});

describe('b-t and b-lt', () => {
  it('has a timestamp of the server', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'), {
      level: 'b-t',
      timestamps: timestamps(),
    });
    expectVerdict(pdf, { valid: true, stamped: true });
    expect(await verify(pdf)).toMatchObject([{ level: 'b-t', timeSource: 'timestamp', trusted: true }]);
  });

  it.each(['signer', 'listed'] as const)(
    'has all that verifying takes, of OCSP and of lists: %s',
    async (usage) => {
      const signer = authority.signer(`Long ${usage}`, { usage });
      const options = { level: 'b-lt', timestamps: timestamps(), revocations: loader } as const;
      const pdf = await signPdf(plainPdf(), signer, options);
      expectVerdict(pdf, { valid: true, stamped: true, stored: true });
      expect(await verify(pdf)).toMatchObject([
        {
          level: 'b-lt',
          intact: true,
          trusted: true,
          changesSince: ['validation_data'],
          changesAllowed: true,
        },
      ]);
      // Also under a certification that forbids all else.
      const certified = await signPdf(plainPdf(), signer, { ...options, certify: 'no_changes' });
      expectVerdict(certified, { valid: true, permitted: true });
      expect(await verify(certified)).toMatchObject([{ certify: 'no_changes', changesAllowed: true }]);
    },
  );

  it('is refused if the server returns nothing', async () => {
    const signer = authority.signer('Signer');
    const short = createFetcher({ outside: 'open', isAllowedAddress: () => true, timeout: 200 });
    for (const [path, by] of [
      ['ocsp', loader],
      ['nothing', loader],
      ['silent', short],
    ] as const) {
      const server = { url: `${authority.server.url}/${path}`, loader: by };
      const signed = signPdf(plainPdf(), signer, { level: 'b-t', timestamps: server });
      await expect(signed).rejects.toMatchObject({ code: 'timestamp_unavailable' });
    }
    await expect(signPdf(plainPdf(), signer, { level: 'b-t' })).rejects.toMatchObject({
      code: 'timestamp_unavailable',
    });
  });

  it('is refused for a revoked certificate, or one of unknown status', async () => {
    const options = { level: 'b-lt', timestamps: timestamps(), revocations: loader } as const;
    const revoked = authority.signer('Revoked');
    authority.pki.revoke('Revoked');
    await expect(signPdf(plainPdf(), revoked, options)).rejects.toMatchObject({
      code: 'certificate_expired',
    });
    const silent = authority.signer('Silent', { usage: 'tls' });
    await expect(signPdf(plainPdf(), silent, options)).rejects.toMatchObject({
      code: 'revocation_unavailable',
    });
    // A responder that never answers is not waited for beyond its time.
    const hanging = authority.signer('Hanging', { usage: 'hanging' });
    const short = createFetcher({ outside: 'open', isAllowedAddress: () => true, timeout: 200 });
    await expect(signPdf(plainPdf(), hanging, { ...options, revocations: short })).rejects.toMatchObject({
      code: 'revocation_unavailable',
    });
  });
});

describe('verify', () => {
  it('finds each changed byte of the signed content', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'));
    const added = pdf.indexOf('/Adobe.PPKLite');
    for (const at of [pdf.indexOf('rg 9'), added + 7, pdf.length - 3]) {
      const changed = Buffer.from(pdf);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await verify(changed), `byte ${at}`).toMatchObject([{ intact: false, trusted: false }]);
    }
    const content = Buffer.from(pdf.toString('latin1').replace('0 0 1 rg', '1 0 0 rg'), 'latin1');
    expect(await verify(content)).toMatchObject([{ intact: false }]);
  });

  it('finds content that was added after signing', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'));
    const file = await openPdf(pdf);
    const [page = ''] = file.pages();
    const { '/Contents': contents = null, ...rest } = file.dict(page);
    file.set(page, {
      ...rest,
      '/Contents': [contents, file.add({}, Buffer.from('1 0 0 rg 0 0 99 99 re f'))],
    });
    const { bytes } = await file.saveIncremental();
    expect(await verify(bytes)).toMatchObject([
      { intact: true, coversWholeFile: false, changesSince: ['content'], changesAllowed: false },
    ]);
    expectVerdict(bytes, { valid: false, changes: 'OTHER' });
  });

  it('distinguishes comments from content', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'), { certify: 'forms' });
    const file = await openPdf(pdf);
    const [page = ''] = file.pages();
    const note = file.add({
      '/Type': '/Annot',
      '/Subtype': '/Text',
      '/Rect': [0, 0, 9, 9],
      '/Contents': 'u:x',
    });
    const dict = file.dict(page);
    file.set(page, { ...dict, '/Annots': [...file.array(dict['/Annots']), note] });
    const { bytes } = await file.saveIncremental();
    expect(await verify(bytes)).toMatchObject([{ changesSince: ['annotations'], changesAllowed: false }]);
  });

  it('refuses a range that leaves out more than the signature', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'));
    const text = pdf.toString('latin1');
    const [range = '', gap = '', second = ''] = /\/ByteRange \[0 (\d+) (\d+) \d+\]/.exec(text) ?? [];
    const moved = range.replace(gap, String(Number(gap) - 9)).replace(second, String(Number(second)));
    const changed = Buffer.from(
      text.replace(range, moved.slice(0, range.length).padEnd(range.length)),
      'latin1',
    );
    expect(await verify(changed)).toMatchObject([{ intact: false, signer: null }]);
  });

  it('finds untrusted and expired certificates', async () => {
    const pdf = await signPdf(plainPdf(), authority.signer('Signer'));
    expect(await verify(pdf, [])).toMatchObject([{ intact: true, trusted: false, trustFault: 'untrusted' }]);
    const later = new Date(Date.now() + 400 * 24 * 3600 * 1000);
    expect(await verifyPdf(pdf, { anchors: authority.anchors, now: later })).toMatchObject([
      { intact: true, trusted: false, trustFault: 'expired' },
    ]);
  });

  it('trusts no certificate that another signer issued', async () => {
    const { pki } = authority;
    pki.issue('Signer');
    const forged = authority.signer('Forged', { from: '250101000000Z', to: '260101000000Z' });
    await expect(signPdf(plainPdf(), forged)).rejects.toMatchObject({ code: 'certificate_expired' });
  });

  it('returns no signatures for a document without any', async () => {
    expect(await verify(plainPdf())).toEqual([]);
  });
});

it('pyHanko has the same result for all of them', () => {
  const judged = authority.judge(cases.map(({ pdf }) => pdf));
  for (const [index, { name, expected }] of cases.entries()) {
    expect(judged[index], name).toMatchObject(expected);
  }
  expect(judged.length).toBeGreaterThan(10);
});
