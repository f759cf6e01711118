import { expect, it } from 'vitest';
import { addTemplate, call, expectStatus, form, jsonOf, mint } from './client.ts';

/** Translations over HTTP (I-41). */

const PO =
  'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\nmsgid "Invoice"\nmsgstr "Rechnung"\n';

it('translations are kept by locale and tenant, and used by renderings in that locale', async () => {
  const put = await call('PUT', '/v1/translations/de', { body: form({ file_data: [PO, 'de.po'] }) });
  expect(jsonOf(expectStatus(put, 200))).toMatchObject({ locale: 'de', messages: 1 });
  const listed = await call('GET', '/v1/translations');
  // Other tests of the same service have translations of their own.
  const locales = JSON.parse(expectStatus(listed, 200).bytes.toString()) as { locale: string }[];
  expect(locales.filter(({ locale }) => locale === 'de')).toMatchObject([{ locale: 'de', messages: 1 }]);
  const got = await call('GET', '/v1/translations/de');
  expect(expectStatus(got, 200).bytes.toString()).toBe(PO);

  const id = await addTemplate('<p>{% trans %}Invoice{% endtrans %} {{ 1234.5 | format_decimal }}</p>');
  const render = async (locale: string, headers: Record<string, string> = {}): Promise<string> => {
    const body = form({ render_data: '{}', render_options: JSON.stringify({ locale }) });
    const answer = await call('POST', `/v1/render/html/${id}`, { body, headers });
    return expectStatus(answer, 200).bytes.toString();
  };
  expect(await render('de_CH')).toContain('<p>Rechnung ');
  expect(await render('fr')).toBe('<p>Invoice 1\u202f234,5</p>');

  const otherTenant = { authorization: await mint('--tenant', 'stranger-of-translations') };
  const theirs = await call('GET', '/v1/translations', { headers: otherTenant });
  expect(expectStatus(theirs, 200).bytes.toString()).toBe('[]');
  expect((await call('GET', '/v1/translations/de', { headers: otherTenant })).status).toBe(404);

  expectStatus(await call('DELETE', '/v1/translations/de'), 204);
  expect(await render('de')).toContain('<p>Invoice ');
  expectStatus(await call('DELETE', `/v1/template/${id}`), 204);
});

it('an invalid catalogue or locale is refused', async () => {
  const wrong = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=system(1);\\n"\n';
  for (const [path, file, field] of [
    ['/v1/translations/de', wrong, 'file_data'],
    ['/v1/translations/xx', PO, 'locale'],
  ] as const) {
    const answer = await call('PUT', path, { body: form({ file_data: [file, 'x.po'] }) });
    expect([answer.status, jsonOf(answer)['code']], path).toEqual([422, 'invalid_field']);
    expect(jsonOf(answer)['errors']).toMatchObject([{ field }]);
  }
});

it('a catalogue is read in its encoding, in time proportional to its length', async () => {
  const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\n';
  const latin = Buffer.from(`${header}msgid "coffee"\nmsgstr "caf\u00e9 \\"msgstr\\""\n`, 'latin1');
  const put = async (file: string | Buffer) =>
    await call('PUT', '/v1/translations/fr', { body: form({ file_data: [file, 'fr.po'] }) });
  expectStatus(await put(latin), 200);
  const body = form({
    file_data: ['{{ _("coffee") }}', 'a.html'],
    render_data: '{}',
    render_options: '{"locale":"fr"}',
  });
  const rendered = expectStatus(await call('POST', '/v1/render/html', { body }), 200);
  expect(rendered.bytes.toString()).toBe('caf\u00e9 "msgstr"');
  // The parser copies all strings of an entry for each of them: as many as fit into a file take minutes.
  for (const [file, message] of [
    [`msgid "a"\n${'msgstr "b"\n'.repeat(300)}`, /200 msgstr/],
    [`msgid "a"\n${`msgstr "b"\nmsgid_plural 'msgid'\n#msgid\n`.repeat(300)}`, /200 msgstr/],
    [header.replace('ISO-8859-1', 'nothing-known'), /encoding nothing-known/],
    ['hello', /no catalogue/],
    [`${header}msgid "a"\n\nmsgid "b"\nmsgstr "c"\n`, /"a" has no msgstr/],
  ] as const) {
    const answer = await put(file);
    expect([answer.status, jsonOf(answer)['code']], file.slice(0, 60)).toEqual([422, 'invalid_field']);
    expect(jsonOf(answer)['detail']).toMatch(message);
  }
  const many = Array.from(
    { length: 500 },
    (_, n) => `msgid "m${n}"\nmsgid_plural "p"\nmsgstr[0] "a"\nmsgstr[1] "b"\n`,
  );
  expect(jsonOf(expectStatus(await put(many.join('\n')), 200))).toMatchObject({ messages: 500 });
});
