import { describe, expect, it } from 'vitest';
import { JinjaFiller } from '@platen/templating/jinja';
import type { FillError } from '@platen/templating/protocol';

/** I-42: markdown and charts in html. */

const filler = new JinjaFiller({});

async function html(text: string, data: object, engine: 'jinja2' | 'flask' = 'jinja2'): Promise<string> {
  const sources = [{ file: 'template' as const, text }];
  return (await filler.fill(engine, { engine, sources, data: JSON.stringify(data), defaults: {} })).join('');
}

describe('markdown', () => {
  it.each(['jinja2', 'flask'] as const)('%s: html that is safe, not escaped once more', async (engine) => {
    const text = '**b** <script>x</script> [l](javascript:alert(1))\n\n| a |\n|---|\n| 1 |';
    const out = await html('{{ t | markdown }}', { t: text }, engine);
    expect(out).toContain('<strong>b</strong> &lt;script&gt;');
    expect(out).toContain('<table>');
    expect(out).not.toContain('href="javascript');
  });
});

describe('chart', () => {
  const option = {
    xAxis: { type: 'category', data: ['Mon', 'Tue'] },
    yAxis: { type: 'value' },
    series: [{ type: 'bar', data: [3, 5] }],
  };

  it('is an SVG, the same bytes each time, of the requested size', async () => {
    const out = await html('{{ chart(o, width=320, height=200) }}', { o: option }, 'flask');
    expect(out).toMatch(/^<svg width="320" height="200"/);
    expect(out).toContain('>Tue</text>');
    expect(await html('{{ chart(o, 320, 200) }}', { o: option })).toBe(out);
  });

  it.each([
    ['{{ chart("x") }}', /an object/],
    ['{{ chart(o, width=0) }}', /pixels for width/],
    ['{{ chart(o, height=100000) }}', /pixels for height/],
  ])('%s is an error', async (text, message) => {
    const error: unknown = await html(text, { o: option }).catch((fault: unknown) => fault);
    expect((error as FillError).fault.message).toMatch(message);
  });
});
