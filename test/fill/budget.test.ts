import type { PlatenError } from '@platen/core/errors';
import { DEFAULT_LIMITS } from '@platen/jinja';
import { JinjaFiller } from '@platen/templating/jinja';
import { LiquidFiller } from '@platen/templating/liquid';
import { FillError, type FillFault, type TemplatingEngine } from '@platen/templating/protocol';
import { describe, expect, it } from 'vitest';
import { docx, p } from '../office/build.ts';
import { fill } from '../office/fill.ts';

/** The filters that Jinja and Liquid share count their work against the budget of the template. */

async function filled(engine: TemplatingEngine, text: string, steps: number): Promise<string> {
  const sources = [{ file: 'template' as const, text }];
  const job = { engine, sources, data: '{"one":[1]}', defaults: {} };
  const made =
    engine === 'liquid'
      ? await new LiquidFiller({ parse: 1e5, time: 60_000, memory: 1e7, output: 1e7, steps }).fill(job)
      : await new JinjaFiller({ steps, time: 60_000 }).fill(engine, job);
  return made.texts.join('');
}

async function faultOf(engine: TemplatingEngine, text: string, steps: number): Promise<FillFault> {
  const error: unknown = await filled(engine, text, steps).catch((fault: unknown) => fault);
  if (error instanceof FillError) return error.fault;
  throw new Error(`no fault: ${String(error).slice(0, 100)}`);
}

const repeat = (engine: TemplatingEngine, times: number, output: string): string =>
  engine === 'liquid'
    ? `{% for i in (1..${times}) %}\n${output}{% endfor %}`
    : `{% for i in range(${times}) %}\n${output}{% endfor %}`;

describe('work that repeats ends in an error of the budget, with file and line', () => {
  it.each<[TemplatingEngine, string]>([
    ['jinja2', '{{ "SKU-123456" | barcode("code128") }}'],
    ['flask', '{{ "https://example.com/p/1" | qrcode }}'],
    ['liquid', '{{ "SKU-123456" | barcode: "code128" }}'],
    ['jinja2', '{{ 1234.5 | format_currency("EUR") }}'],
    ['liquid', '{{ 1234.5 | format_currency: "EUR" }}'],
    ['jinja2', '{{ "2026-01-02" | format_date }}'],
    ['jinja2', '{{ 1234 | spell_out }}'],
    ['jinja2', '{{ ("**a** " * 40) | markdown }}'],
    ['liquid', '{{ "**a** **a** **a** **a** **a** **a** **a** **a**" | markdown }}'],
  ])('%s: %s', async (engine, output) => {
    const fault = await faultOf(engine, repeat(engine, 2000, output), 10_000);
    expect(fault).toMatchObject({ kind: 'budget', file: 'template', line: 2 });
    expect(fault.message).toBe('The template takes more than 10000 steps. (limit: steps)');
  });

  it.each(['jinja2', 'liquid'] as const)('%s in an office document, with the paragraph', async (engine) => {
    const bytes = await docx(p('first') + p('{{ t | markdown }}').repeat(3));
    const error: unknown = await fill(bytes, { t: 'a'.repeat(1_900_000) }, { engine }).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code: 'template_budget' });
    expect(JSON.stringify((error as PlatenError).faults)).toContain('steps');
  });

  it('a list that holds itself many times over is not copied for a filter', async () => {
    const text =
      '{% set ns = namespace(l=[1]) %}{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}\n{{ ns.l | qrcode }}';
    expect(await faultOf('jinja2', text, 100_000)).toMatchObject({ kind: 'budget', line: 2 });
  });
});

describe('documents as they are fit into a fraction of the budget', () => {
  const twentieth = DEFAULT_LIMITS.steps / 20;

  it.each<[string, TemplatingEngine, number, string]>([
    ['a catalogue of 2,000 labels', 'jinja2', 100, '{{ ("SKU-10" ~ i) | barcode("code128") }}'],
    ['2,000 tickets with an address', 'jinja2', 100, '{{ ("https://example.com/tickets/" ~ i) | qrcode }}'],
    ['2,000 labels in Liquid', 'liquid', 100, '{{ "4006381333931" | barcode: "ean13" }}'],
    ['a statement with 60,000 amounts', 'jinja2', 3000, '{{ i | format_currency("EUR") }}'],
    ['60,000 amounts in Liquid', 'liquid', 3000, '{{ i | format_currency: "EUR" }}'],
  ])('%s, a twentieth of it in a twentieth of the steps', async (_, engine, times, output) => {
    expect((await filled(engine, repeat(engine, times, output), twentieth)).length).toBeGreaterThan(
      times * 4,
    );
  });
});
