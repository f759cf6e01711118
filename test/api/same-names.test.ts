import { expect, it } from 'vitest';
import { docx } from '../office/build.ts';
import { changedFontOf, fontOf, paragraphIn } from '../support/fonts.ts';
import { asFile, call, expectStatus, form, jsonOf, mint } from './client.ts';
import { execFileSync } from 'node:child_process';

/** What two tenants call by the same name, asked for at the same time, and cursors and conditions in the wrong hands. */

const headersOf = (authorization: string) => ({ headers: { authorization } });

function fontsOf(pdf: Buffer): string[] {
  const list = asFile(pdf, (file) => execFileSync('pdffonts', [file], { encoding: 'utf8' }));
  const lines = list.trim().split('\n').slice(2);
  return lines.map((line) => (line.split(/\s+/)[0] ?? '').replace(/^[A-Z]{6}\+/, ''));
}

it('two tenants each use their own font of the same family and file name, in every engine (I-40)', async () => {
  const tenants = [
    { token: await mint('--tenant', 'same-font-a'), file: fontOf('Qaladea'), name: 'Qaladea-Regular' },
    { token: await mint('--tenant', 'same-font-b'), file: changedFontOf('Qaladea'), name: 'Qaladea-Changed' },
  ];
  for (const { token, file } of tenants) {
    const body = form({ file_data: [file, 'x'] });
    expectStatus(await call('PUT', '/v1/fonts/Q.ttf', { ...headersOf(token), body }), 200);
  }
  const text = '<p style="font-family: Qaladea">Text</p>';
  const drawing = `<svg xmlns='http://www.w3.org/2000/svg' width='90' height='30'><text y='20' font-family='Qaladea'>Text</text></svg>`;
  const image = `<img src="data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}">`;
  const office = await docx(paragraphIn('Qaladea', 'Text'));
  const kinds: [string, string | Buffer, object][] = [
    ['a.html', text, {}],
    ['b.html', text, { rendering_engine: 'webkit' }],
    ['c.html', image, {}],
    ['d.docx', office, {}],
  ];
  const print = async (token: string, [name, file, options]: (typeof kinds)[number]): Promise<string[]> => {
    const plain = name.endsWith('.docx') ? {} : { display_header_footer: false };
    const body = form({
      file_data: [file, name],
      render_data: '{}',
      render_options: JSON.stringify({ ...plain, ...options }),
    });
    return fontsOf(
      expectStatus(await call('POST', '/v1/render/pdf', { ...headersOf(token), body }), 200).bytes,
    );
  };
  // Each of them twice, the tenants in turns and at once: what one leaves must be nothing to the other.
  const wanted = [...kinds, ...kinds].flatMap((kind) => tenants.map((tenant) => ({ kind, tenant })));
  const seen = await Promise.all(wanted.map(async ({ kind, tenant }) => await print(tenant.token, kind)));
  expect(seen).toEqual(wanted.map(({ tenant }) => [tenant.name]));
});

it('a cursor of another tenant, or an invented one, returns nothing of that tenant (I-55)', async () => {
  const [ada, bob] = [await mint('--tenant', 'cursor-ada'), await mint('--tenant', 'cursor-bob')];
  const add = async (token: string, text: string): Promise<string> => {
    const body = form({ template_data: `{"name":"${text}","format":"html"}`, file_data: text });
    return String(
      jsonOf(expectStatus(await call('POST', '/v1/template', { ...headersOf(token), body }), 200))['id'],
    );
  };
  const po = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a"\nmsgstr "b"\n';
  let [ofAda, ofBob] = ['', ''];
  for (const n of [1, 2, 3]) {
    ofAda = await add(ada, `hidden ${n}`);
    const font = form({ file_data: [fontOf('Lektora'), 'x'] });
    expectStatus(await call('PUT', `/v1/fonts/hidden${n}.ttf`, { ...headersOf(ada), body: font }), 200);
    const partial = form({ file_data: ['x', 'x.html'] });
    expectStatus(
      await call('PUT', `/v1/partials/hidden${n}.html`, { ...headersOf(ada), body: partial }),
      200,
    );
    const body = form({ file_data: [po, 'a.po'] });
    const locale = ['da', 'de', 'fr'][n - 1] ?? '';
    expectStatus(await call('PUT', `/v1/translations/${locale}`, { ...headersOf(ada), body }), 200);
    const changed = form({ file_data: `hidden ${n}` });
    expectStatus(await call('PUT', `/v1/template/${ofAda}`, { ...headersOf(ada), body: changed }), 200);
  }
  ofBob = await add(bob, 'bob');
  const lists = ['template', 'fonts', 'partials', 'translations', `template/${ofAda}/versions`];
  for (const list of lists) {
    const first = expectStatus(await call('GET', `/v1/${list}?limit=1`, headersOf(ada)), 200);
    const cursor = /[?&]cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    expect(cursor, list).toBeDefined();
    const asked = list.replace(ofAda, ofBob);
    const answer = await call('GET', `/v1/${asked}?limit=10&cursor=${cursor}`, headersOf(bob));
    expect([200, 422], list).toContain(answer.status);
    expect(answer.bytes.toString(), list).not.toMatch(/hidden|"(?:da|de|fr)"/);
    for (const made of [
      'x',
      'AAAA',
      '%00',
      Buffer.from('{"pk":{"S":"TENANT#cursor-ada"}}').toString('base64url'),
    ]) {
      const refused = await call('GET', `/v1/${asked}?limit=10&cursor=${made}`, headersOf(bob));
      expect([200, 422], `${list} ${made}`).toContain(refused.status);
      expect(refused.bytes.toString(), list).not.toContain('hidden');
    }
  }
});

it('one of many requests with the same version in If-Match succeeds, for every operation (I-37)', async () => {
  const body = form({ template_data: '{"name":"n","format":"html"}', file_data: '1' });
  const id = String(jsonOf(expectStatus(await call('POST', '/v1/template', { body }), 200))['id']);
  const headers = { 'if-match': '"1"' };
  const style = () => form({ template_data: '{"format":"css"}', file_data: ['a{}', 'a.css'] });
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      n % 3 === 0
        ? await call('POST', `/v1/template/css/${id}`, { headers, body: style() })
        : await call('PUT', `/v1/template/${id}`, { headers, body: form({ file_data: `writer ${n}` }) }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 412)]);
  expect(jsonOf(await call('GET', `/v1/template/${id}`))).toMatchObject({ version: 2 });
  for (const answer of answers.filter(({ status }) => status === 412))
    expect(jsonOf(answer)).toMatchObject({ code: 'version_conflict' });
});
