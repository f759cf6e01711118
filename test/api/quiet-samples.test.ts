import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { call, checkPdf, expectStatus, form } from './client.ts';

/** Documents without faults have no warnings: those that are always there are not read. */

const SAMPLES = path.resolve(import.meta.dirname, '../../samples');

function sample(name: string, options: object): FormData {
  const file = (part: string): Buffer => readFileSync(path.join(SAMPLES, name, part));
  const parts: Parameters<typeof form>[0] = {
    file_data: [file('template.html'), 'template.html'],
    css_style: [file('style.css'), 'style.css'],
    template_data: file('options.json').toString(),
    render_data: file('data.json').toString(),
    render_options: JSON.stringify(options),
  };
  for (const [part, field] of [
    ['logo.svg', 'img_logo'],
    ['footer.html', 'footer_data'],
  ] as const)
    // prettier-ignore
    if (existsSync(path.join(SAMPLES, name, part))) parts[field] = [file(part), part];
  return form(parts);
}

it.each(readdirSync(SAMPLES))('the sample %s has none as PDF/UA', async (name) => {
  const body = sample(name, { conformance: ['pdf/ua-1'] });
  const answer = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
  checkPdf(answer.bytes);
  expect(answer.headers.get('warning')).toBeNull();
});
