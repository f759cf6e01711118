import { afterAll, describe, expect, it } from 'vitest';
import { Filler } from '../../functions/render/texts/filler.ts';
import { docx, p } from '../office/build.ts';
import { fill } from '../office/fill.ts';

/** Errors of Jinja2 say what the author of a template for JSON data can do. */

const filler = new Filler({ timeout: 30_000 });
afterAll(() => filler.close());
const data = { invoice: { items: [{ name: 'a' }] }, day: '2026-11-27' };
const MEMBER = "write invoice['items'] for the member of the data";

describe.each([
  [
    'html',
    async (text: string): Promise<unknown> =>
      await filler.fill({
        engine: 'jinja2',
        sources: [{ file: 'template', text }],
        data: JSON.stringify(data),
        defaults: {},
      }),
  ],
  ['docx', async (text: string): Promise<unknown> => await fill(await docx(p(text)), data)],
])('in %s', (_, render) => {
  it.each([
    ['{% for l in invoice.items %}{{ l.name }}{% endfor %}', MEMBER],
    ['{{ invoice.items[0].name }}', MEMBER],
    ['{{ invoice.items|length }}', MEMBER],
    ['{{ day.strftime("%d") }}', 'a date in the data is a text: use format_date'],
  ])('%s', async (template, advice) => {
    await expect(render(template)).rejects.toMatchObject({
      code: 'template_render',
      message: expect.stringContaining(advice) as string,
    });
  });
});
