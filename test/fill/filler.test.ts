import { afterAll, describe, expect, test } from 'vitest';
import { Filler } from '../../functions/render/texts/filler.ts';
import type { FillLimits } from '../../functions/render/texts/filler.ts';
import type { FillJob } from '../../packages/templating/src/protocol.ts';
import { isPlatenError } from '../../packages/core/src/errors.ts';
import type { PlatenError } from '../../packages/core/src/errors.ts';

/** Generous: a busy machine must not turn a fine template into one that took too long. */
const filler = new Filler({ timeout: 30_000 });
afterAll(() => filler.close());

function job(text: string, data: unknown = {}, more: Partial<FillJob> = {}): FillJob {
  const sources: FillJob['sources'] = [{ file: 'template', text }];
  return {
    engine: 'jinja2',
    sources,
    data: typeof data === 'string' ? data : JSON.stringify(data),
    defaults: {},
    ...more,
  };
}

async function fill(
  text: string,
  data: unknown = {},
  more: Partial<FillJob> = {},
): Promise<string | undefined> {
  const [filled] = await filler.fill(job(text, data, more));
  return filled;
}

async function failure(work: Promise<unknown>): Promise<PlatenError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (isPlatenError(error)) return error;
  throw new Error('it did not fail as expected', { cause: error });
}

async function withFiller<T>(limits: FillLimits, use: (own: Filler) => Promise<T>): Promise<T> {
  const own = new Filler(limits);
  try {
    return await use(own);
  } finally {
    await own.close();
  }
}

describe('filling texts', () => {
  test('every text is filled with the same data, in order', async () => {
    const sources: FillJob['sources'] = [
      { file: 'template', text: 'Dear {{ name }}' },
      { file: 'header', text: '{{ name|upper }}' },
      { file: 'footer', text: 'no placeholder' },
    ];
    expect(await filler.fill({ ...job('', { name: 'Ada' }), sources })).toEqual([
      'Dear Ada',
      'ADA',
      'no placeholder',
    ]);
  });

  test('changes of one text to the data are not visible to the next', async () => {
    const sources: FillJob['sources'] = [
      { file: 'template', text: '{% do list.append(2) %}{{ list }}' },
      { file: 'header', text: '{{ list }}' },
    ];
    expect(await filler.fill({ ...job('', { list: [1] }), sources })).toEqual(['[1, 2]', '[1]']);
  });

  test('key order, the difference between 1 and 1.0, and long numbers survive (I-16)', async () => {
    expect(await fill('{{ d }}', '{"d":{"10":1,"2":1.0,"a":12345678901234567890}}')).toBe(
      "{'10': 1, '2': 1.0, 'a': 12345678901234567890}",
    );
  });

  test('a hundred jobs at once get their own answers', async () => {
    const jobs = Array.from({ length: 100 }, (_, i) => fill('{{ i }} {{ i * 2 }}', { i }));
    expect(await Promise.all(jobs)).toEqual(Array.from({ length: 100 }, (_, i) => `${i} ${i * 2}`));
  });

  test('a variable with dots in its name makes nested objects', async () => {
    const defaults = { logo: '/a.png', 'images.sign.png': '/b.png', 'images.stamp': '/c.png' };
    expect(await fill('{{ logo }} {{ images.sign.png }} {{ images.stamp }}', {}, { defaults })).toBe(
      '/a.png /b.png /c.png',
    );
  });

  test('a key of the data wins over a variable of the same name (I-11)', async () => {
    const defaults = {
      logo: '/a.png',
      'images.sign': '/b.png',
      'images.stamp': '/c.png',
      'text.x': '/d.png',
    };
    const data = { logo: 'mine', images: { sign: null }, text: 'just text' };
    expect(await fill('{{ logo }} {{ images.sign }} {{ images.stamp }} {{ text }}', data, { defaults })).toBe(
      'mine None /c.png just text',
    );
  });

  test('a file outside of the request cannot be included (I-18)', async () => {
    const error = await failure(fill('{% include "/etc/passwd" %}'));
    expect(error.code).toBe('template_render');
    expect(error.faults[0]?.message).toBe('there is no partial "/etc/passwd"');
  });

  test('break, continue and do are there', async () => {
    expect(
      await fill('{% for i in range(9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}'),
    ).toBe('012');
  });
});

describe('dialects (I-18)', () => {
  const data = { html: '<b>', list: [1, 'ü'], a: { b: '</script>' } };

  test('jinja2 does not escape', async () => {
    expect(await fill('{{ html }}{{ html|e }}', data)).toBe('<b>&lt;b&gt;');
  });

  test('flask escapes values, except those marked as safe', async () => {
    const text = '{{ html }}{{ html|safe }}{% set x %}<i>{{ html }}{% endset %}{{ x }}';
    expect(await fill(text, data, { engine: 'flask' })).toBe('&lt;b&gt;<b><i>&lt;b&gt;');
  });

  test('flask escapes in headers and footers by page as in those of all pages', async () => {
    const files = ['header', 'header.first', 'footer.2-3', 'footer.default', 'filename'] as const;
    const sources = files.map((file) => ({ file, text: '{{ a }}' }));
    const filled = await filler.fill({ ...job('', { a: '<i>' }), engine: 'flask', sources });
    expect(filled).toEqual(['&lt;i&gt;', '&lt;i&gt;', '&lt;i&gt;', '&lt;i&gt;', '<i>']);
  });

  test('tojson(true) indents by one, as Python does', async () => {
    expect(await fill('{{ {"a": [1]}|tojson(true) }}', data)).toBe('{\n "a": [\n  1\n ]\n}');
    expect(await fill('{{ {"a": [1]}|tojson(2) }}', data)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test("flask's tojson is safe in a script", async () => {
    expect(await fill('<script>x = {{ a|tojson }};</script>', data, { engine: 'flask' })).toBe(
      '<script>x = {"b": "\\u003c/script\\u003e"};</script>',
    );
  });

  test("flask's tojson writes dates as HTTP does", async () => {
    const filled = await fill('{{ now()|tojson }}', data, { engine: 'flask' });
    expect(filled).toMatch(/^"\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT"$/u);
  });

  test('liquid fills its own tags and filters', async () => {
    const text =
      '{{ html | escape | upcase }}{% for x in list %}{{ forloop.index }}{{ x }}{% endfor %}{{ a.b | size }}';
    expect(await fill(text, data, { engine: 'liquid' })).toBe('&LT;B&GT;112ü9');
  });

  test.each([
    // As Ruby's Liquid 5.8 prints them.
    ['%F %T', '2024-03-05T00:30:00+02:00', '2024-03-05 00:30:00'],
    ['%Y-%m-%d %z', '2024-03-05T00:30:00+02:00', '2024-03-05 +0200'],
    ['%D %R', '2024-03-05', '03/05/24 00:00'],
    ['%G-W%V', '2021-01-03', '2020-W53'],
    ['%G-W%V', '2024-12-30T23:00:00-05:00', '2025-W01'],
    ['%%F', '2024-03-05', '%F'],
  ])('liquid formats dates with %s in their own time zone', async (format, date, expected) => {
    expect(await fill(`{{ at | date: "${format}" }}`, { at: date }, { engine: 'liquid' })).toBe(expected);
  });

  test('liquid has access to own properties of the data only', async () => {
    const text =
      '[{{ a.constructor }}{{ a.__proto__ }}{{ list.constructor }}{{ constructor }}{{ a.b.constructor }}]';
    expect(await fill(text, data, { engine: 'liquid' })).toBe('[]');
  });

  test.for([
    "{% include '/etc/passwd' %}",
    "{% render '../../package.json' %}",
    "{% layout '/etc/hosts' %}x",
  ])('liquid does not read files: %s', async (text) => {
    const error = await failure(fill(text, data, { engine: 'liquid' }));
    expect([error.code, error.message]).toEqual([
      'template_render',
      expect.stringContaining('there is no partial'),
    ]);
  });

  test('liquid draws barcodes, with the arguments jinja2 has', async () => {
    const of = (text: string, n: unknown) => fill(text, { n }, { engine: 'liquid' });
    const named = await of('{{ n | barcode: "ean13", width: 5, height: 2, text: false }}', '5901234123457');
    const inJinja = '{{ n | barcode("ean13", width=5, height=2, text=false) }}';
    expect(named).toBe(await fill(inJinja, { n: '5901234123457' }));
    expect(await of('{{ n | qrcode }}', 'x')).toBe(await fill('{{ "x" | qrcode }}'));
    expect(await of('{{ n | barcode }}', 12345)).toContain('<svg ');
  });

  test.for([
    ['{{ "abc" | barcode: "ean13" }}', 'only digits'],
    ['{{ "abc" | barcode: colour: "red" }}', 'has no argument colour'],
    ['{{ nothing | qrcode }}', 'needs a text'],
  ] as const)(
    'a barcode that cannot be drawn is an error with its line in liquid: %s',
    async ([text, words]) => {
      const error = await failure(fill(`\n${text}`, {}, { engine: 'liquid' }));
      expect([error.code, error.faults[0]?.line]).toEqual(['template_render', 2]);
      expect(error.faults[0]?.message).toContain(words);
    },
  );

  test('variables under the data are there in liquid, too', async () => {
    expect(await fill('{{ images.logo }}', {}, { engine: 'liquid', defaults: { 'images.logo': '/x' } })).toBe(
      '/x',
    );
  });
});

describe('errors', () => {
  test('a template that does not parse is refused with its place', async () => {
    const error = await failure(fill('one\n  {% if %}'));
    expect(error.code).toBe('template_syntax');
    expect(error.message).toBe(
      "The template cannot be parsed in line 2, column 9: Expected an expression, got 'end of statement block'",
    );
    expect(error.faults).toEqual([
      {
        field: 'template',
        file: 'template',
        message: "Expected an expression, got 'end of statement block'",
        line: 2,
        column: 9,
        source: '  {% if %}',
      },
    ]);
  });

  test('a text that cannot be filled is named with its place', async () => {
    const sources: FillJob['sources'] = [
      { file: 'template', text: 'fine' },
      { file: 'footer', text: 'a\nb {{ x.y.z }}' },
    ];
    const error = await failure(filler.fill({ ...job('', { x: {} }), sources }));
    expect([error.code, error.message]).toEqual([
      'template_render',
      "The footer cannot be filled in line 2, column 10: 'dict object' has no attribute 'y'",
    ]);
    expect(error.faults[0]).toMatchObject({ file: 'footer', line: 2, column: 10, source: 'b {{ x.y.z }}' });
  });

  test('in a very long line show only the part around the place', async () => {
    const error = await failure(fill(`${'x'.repeat(5000)}{{ a.b.c }}${'y'.repeat(5000)}`, { a: {} }));
    expect(error.faults[0]?.source).toHaveLength(160);
    expect(error.faults[0]?.source).toContain('{{ a.b.c }}');
  });

  test.for([
    ['{% if %}', 'template_syntax', 1],
    ['a\n{% endfor %}', 'template_syntax', 2],
    ["a\n\n{% include 'nope' %}", 'template_render', 3],
  ] as const)('liquid reports a fault with its line: %s', async ([text, code, line]) => {
    const error = await failure(fill(text, { x: 1 }, { engine: 'liquid' }));
    expect([error.code, error.faults[0]?.line]).toEqual([code, line]);
    expect(error.faults[0]?.message).not.toMatch(/line:\d/u);
  });

  test.for([
    ['[1]', 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['{"a":', 'line 1, column 6'],
    ['{"a":01}', 'line 1, column 7'],
    ["{'a':1}", 'line 1, column 2'],
    ['', 'not valid JSON'],
    ['{"a":NaNs}', 'line 1, column'],
    ['['.repeat(100_000), 'nested more than'],
  ] as const)('render data that is no object is refused: %s', async ([data, words]) => {
    const error = await failure(fill('x', data));
    expect([error.code, error.message]).toEqual(['render_data_invalid', expect.stringContaining(words)]);
  });
});

describe('limits', () => {
  test('a limit that is exceeded is named, and the next job is fine', async () => {
    const error = await failure(
      fill('{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'),
    );
    expect([error.code, error.message]).toEqual([
      'template_budget',
      expect.stringContaining('(limit: steps)'),
    ]);
    expect(await fill('{{ 1 + 1 }}')).toBe('2');
  });

  test('a job that does not end is ended from outside, and the next one is fine', async () => {
    // Limits of the interpreter that nothing reaches stand for a fault in the interpreter.
    const unlimited = { steps: 1e15, time: 1e15 };
    await withFiller({ timeout: 300, template: unlimited }, async (own) => {
      const endless = own.fill(
        job('{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'),
      );
      const next = own.fill(job('next'));
      const error = await failure(endless);
      expect([error.code, error.message]).toEqual([
        'template_budget',
        expect.stringContaining('(limit: time)'),
      ]);
      expect(await next).toEqual(['next']);
    });
  });

  test('a job that takes too much memory is ended, and the next one succeeds', async () => {
    const unlimited = { steps: 1e15, memory: 1e15, list: 1e15 };
    await withFiller({ timeout: 60_000, memory: 64, template: unlimited }, async (own) => {
      const greedy = own.fill(
        job('{% set l = [] %}{% for i in range(99999) %}{% do l.append(range(99999)|list) %}{% endfor %}'),
      );
      const next = own.fill(job('next'));
      const error = await failure(greedy);
      expect([error.code, error.message]).toEqual([
        'template_budget',
        expect.stringContaining('(limit: memory)'),
      ]);
      expect(await next).toEqual(['next']);
    });
  });

  test.for([
    '{% for i in (1..100000000) %}{{ i }}{% endfor %}',
    '{% for i in (1..99999) %}{% for j in (1..99999) %}x{% endfor %}{% endfor %}',
    '{% assign s = "xxxxxxxxxx" %}{% for i in (1..100) %}{% assign s = s | append: s %}{% endfor %}',
  ])('liquid has limits, too: %s', async (text) => {
    const error = await failure(
      withFiller({ timeout: 1000 }, (own) => own.fill({ ...job(text), engine: 'liquid' })),
    );
    expect([error.code, error.message]).toEqual(['template_budget', expect.stringMatching(/limit: \w+/u)]);
  });

  test('a closed filler accepts no more jobs, and rejects the pending ones', async () => {
    const own = new Filler({ timeout: 30_000 });
    const waiting = [own.fill(job('one')), own.fill(job('two'))].map((work) =>
      work.then(
        () => 'done',
        () => 'rejected',
      ),
    );
    await own.close();
    expect(await Promise.all(waiting)).toEqual(['rejected', 'rejected']);
    await expect(own.fill(job('three'))).rejects.toThrow('closed');
  });
});
