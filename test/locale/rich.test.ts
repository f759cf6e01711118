import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { JinjaFiller } from '@platen/templating/jinja';
import type { FillError } from '@platen/templating/protocol';

/** I-42: markdown and charts in html. */

const filler = new JinjaFiller({});

async function html(text: string, data: object, engine: 'jinja2' | 'flask' = 'jinja2'): Promise<string> {
  const sources = [{ file: 'template' as const, text }];
  return (
    await filler.fill(engine, { engine, sources, data: JSON.stringify(data), defaults: {} })
  ).texts.join('');
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

  it('writes values of the option as text, and loads no resources by colours and fonts', async () => {
    const evil = '"/><script>alert(1)</script><p onload="x';
    const color = {
      type: 'linear',
      x2: 1,
      colorStops: [
        { offset: 0, color: evil },
        { offset: 1, color: 'url(http://a.example/)' },
      ],
    };
    const attacked = {
      backgroundColor: evil,
      title: {
        text: 'a <b> & "c" zr0-c0',
        textStyle: { fontFamily: `x;background:url(http://a.example/);${evil}`, color: evil },
      },
      ...option,
      xAxis: { ...option.xAxis, axisLine: { lineStyle: { color: 'url(http://a.example/)', type: evil } } },
      series: [
        {
          type: 'bar',
          data: [3, 5],
          itemStyle: { color, borderColor: evil, shadowBlur: 3, shadowColor: evil },
        },
        { type: 'scatter', data: [1, 2], symbol: `image://http://a.example/i.png${evil}`, cursor: evil },
        { type: 'line', data: [1, 2], lineStyle: { color: evil, cap: evil, join: evil }, clip: true },
      ],
    };
    const svg = await html('{{ chart(o) }}', { o: attacked }, 'flask');
    const faults: string[] = [];
    const { documentElement } = new DOMParser({
      onError: (_, fault) => void faults.push(String(fault)),
    }).parseFromString(svg, 'image/svg+xml');
    expect(faults).toEqual([]);
    const elements = [...(documentElement?.getElementsByTagName('*') ?? [])];
    expect(new Set(elements.map(({ tagName }) => tagName)).has('script')).toBe(false);
    const attributes = elements.flatMap((element) => [...element.attributes]);
    expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([]);
    // Pictures may have an address; nothing else loads one.
    const loading = attributes.filter(({ name, value }) => name !== 'href' && /url\(\s*[^#]/.test(value));
    expect(loading).toEqual([]);
    expect(elements.map(({ textContent }) => textContent)).toContain('a <b> & "c" zr0-c0');
    const ids = new Set(attributes.filter(({ name }) => name === 'id').map(({ value }) => value));
    const references = Array.from(svg.matchAll(/url\(#([^)]+)\)/g), ([, id]) => id);
    for (const id of references) expect(ids).toContain(id);
  });

  it('that takes too long to draw is an error, which names its place', async () => {
    const links = [{ source: 'a', target: 'b', value: 1 }];
    const data = [{ name: 'a' }, { name: 'b' }];
    const endless = { series: [{ type: 'sankey', layoutIterations: 1e9, data, links }] };
    const error: unknown = await html('\n{{ chart(o) }}', { o: endless }).catch((fault: unknown) => fault);
    expect((error as FillError).fault).toMatchObject({ line: 2 });
    expect((error as FillError).fault.message).toMatch(/longer than 3 seconds/);
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
