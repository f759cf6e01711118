import { utils, write } from '@e965/xlsx';

/** Data and templates that use the names of members of every object, for each library that takes foreign objects. */

export type Attack = { name: string } & (
  | { library: 'chart'; input: object }
  | { library: 'jinja2' | 'flask' | 'liquid'; input: { template: string; data: object } }
  | { library: 'schema'; input: { schema: object; data: object } }
  | { library: 'catalogue'; input: { template: string; text: string } }
  | { library: 'csv' | 'sheet'; input: string }
);

export interface AttackOutcome {
  name: string;
  /** "done", or the error. */
  result: string;
  /** The names of properties of intrinsics that have changed. */
  changed: string[];
  /** After the last of several attacks on a library: whether the document of another tenant is the same bytes as before. */
  isOtherSame: boolean;
}

/** Names that lead from an object to what all objects share. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

/** An object with an own member of any name: a literal with `__proto__` sets the prototype instead. */
function own(name: string, value: unknown): object {
  return Object.defineProperty({}, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Options of ECharts with a name from the data in each place where ECharts and zrender use names as keys. */
function chartShapes(name: string): Record<string, object> {
  const axes = { xAxis: { type: 'category', data: ['a', name] }, yAxis: {} };
  const bar = { type: 'bar', data: [1, 2] };
  const tree = {
    name,
    value: 1,
    children: [
      { name, value: 2 },
      { name: 'b', value: 3 },
    ],
  };
  const polluted = own(name, { color: 'red', width: 99, polluted: 1 });
  return {
    'rich text': { title: { text: `{${name}|TEXT}`, textStyle: { rich: polluted } } },
    'rich text of a label': {
      ...axes,
      series: [{ ...bar, label: { show: true, formatter: `{${name}|x}`, rich: polluted } }],
    },
    'stack of bars': {
      ...axes,
      series: [
        { ...bar, stack: name, stackStrategy: 'all' },
        { ...bar, stack: name },
      ],
    },
    'stack of lines': { ...axes, series: [{ type: 'line', stack: name, data: [1, 2] }] },
    'name of a series': { ...axes, legend: { data: [name] }, series: [{ ...bar, name }] },
    'selection of a legend': { ...axes, legend: { selected: own(name, true) }, series: [{ ...bar, name }] },
    identifier: { ...axes, series: [{ ...bar, id: name }], dataset: { id: name, source: [[name], [1]] } },
    dimension: {
      dataset: { source: [own(name, 1), own(name, 2)], dimensions: [name, 'b'] },
      ...axes,
      series: [{ type: 'bar', encode: { x: name, y: name } }],
    },
    column: {
      dataset: {
        source: [
          [name, 'b'],
          [1, 2],
        ],
      },
      ...axes,
      series: [bar],
    },
    'slice of a pie': {
      legend: {},
      series: [
        {
          type: 'pie',
          data: [
            { name, value: 1 },
            { name, value: 2 },
          ],
        },
      ],
    },
    funnel: { legend: {}, series: [{ type: 'funnel', data: [{ name, value: 1 }] }] },
    radar: {
      radar: { indicator: [{ name }, { name: 'b' }] },
      series: [{ type: 'radar', data: [{ name, value: [1, 2] }] }],
    },
    'nodes of a graph': {
      series: [
        {
          type: 'graph',
          layout: 'circular',
          categories: [{ name }],
          nodes: [{ id: name, name, category: name }, { id: 'b' }],
          edges: [{ source: name, target: 'b' }],
        },
      ],
    },
    sankey: {
      series: [
        {
          type: 'sankey',
          nodes: [{ name }, { name: 'b' }],
          links: [{ source: name, target: 'b', value: 1 }],
        },
      ],
    },
    chord: {
      series: [
        { type: 'chord', nodes: [{ name }, { name: 'b' }], links: [{ source: name, target: 'b', value: 1 }] },
      ],
    },
    tree: { series: [{ type: 'tree', data: [tree] }] },
    treemap: { series: [{ type: 'treemap', data: [tree] }] },
    sunburst: { series: [{ type: 'sunburst', data: [tree] }] },
    'theme river': {
      singleAxis: { type: 'time' },
      series: [
        {
          type: 'themeRiver',
          data: [
            ['2026-01-01', 1, name],
            ['2026-01-02', 2, name],
          ],
        },
      ],
    },
    parallel: {
      parallelAxis: [
        { dim: 0, name, type: 'category', data: [name, 'b'] },
        { dim: 1, name },
      ],
      series: [{ type: 'parallel', data: [[name, 1]] }],
    },
    calendar: {
      calendar: { range: '2026' },
      series: [{ type: 'heatmap', coordinateSystem: 'calendar', data: [['2026-01-01', 1]] }],
      visualMap: { categories: [name], inRange: { color: own(name, 'red') } },
    },
    'visual map': {
      ...axes,
      visualMap: { type: 'piecewise', categories: [name], inRange: own(name, ['red']) },
      series: [bar],
    },
    gauge: { series: [{ type: 'gauge', data: [{ name, value: 5 }], axisLabel: { rich: polluted } }] },
    graphic: { graphic: [{ type: 'text', id: name, name, style: { text: `{${name}|x}`, rich: polluted } }] },
    states: { ...axes, series: [{ ...bar, emphasis: polluted, select: polluted, itemStyle: polluted }] },
    'members of the option': { ...axes, ...polluted, series: [{ ...bar, ...polluted }] },
    'coordinate system': { ...axes, series: [{ ...bar, coordinateSystem: name }] },
    'type of a series': { ...axes, series: [{ type: name, data: [1] }] },
    map: { geo: { map: name }, series: [{ type: 'map', map: name, data: [{ name, value: 1 }] }] },
    aria: { ...axes, aria: { enabled: true, decal: { show: true } }, series: [{ ...bar, name }] },
    'mark lines': { ...axes, series: [{ ...bar, markLine: { data: [{ type: name, name }] } }] },
    'locale and media': {
      ...axes,
      series: [bar],
      media: [{ query: polluted, option: polluted }],
      timeline: { data: [name] },
      options: [polluted],
    },
  };
}

function templates(name: string): Attack[] {
  const data = { a: own(name, own(name, { polluted: 1 })), name, rows: [own(name, 1), own(name, 2)] };
  const jinja =
    `{% set x = a[name] %}{{ a['${name}']['${name}'] }}{{ dict(a, **a) }}{{ rows | groupby(name) }}{{ rows | map(attribute=name) | list }}` +
    `{{ {name: 1} }}{{ a.update({name: {'polluted': 1}}) }}{{ a.setdefault(name, 1) }}{% set ns = namespace(**a) %}{{ ns | string }}` +
    '{{ cycler(name).next() }}{{ a | xmlattr }}{{ a | items | list }}{{ rows | sort(attribute=name) }}{{ "%(" ~ name ~ ")s" % a }}';
  const liquid =
    `{% assign ${name} = "x" %}{% capture ${name} %}y{% endcapture %}{% increment ${name} %}{{ a["${name}"]["${name}"] }}` +
    `{{ rows | map: name | join }}{{ rows | where: name, 1 | size }}{{ rows | group_by: name | json }}{{ rows | sort: name | json }}` +
    `{% cycle "${name}": 1, 2 %}{% for ${name} in rows %}{{ ${name} }}{% endfor %}`;
  const part = (library: 'jinja2' | 'flask' | 'liquid', template: string): Attack => ({
    name: `${library}: ${name}`,
    library,
    input: { template, data },
  });
  return [
    part('jinja2', jinja),
    part('flask', jinja),
    part('liquid', liquid),
    ...[
      'markdown',
      'qrcode',
      'barcode(a)',
      'format_currency(name)',
      'format_date(name)',
      'format_decimal(locale=name)',
      'format_timedelta(name)',
      'spell_out(name)',
    ].map((filter) => part('jinja2', `{{ a | tojson | ${filter} }}{{ name | ${filter} }}`)),
    part('jinja2', `{{ "[x][${name}]\n\n[${name}]: https://a.example/ '${name}'" | markdown }}`),
  ];
}

function others(name: string): Attack[] {
  const inner = own(name, { polluted: 1, type: 'object' });
  const schema = {
    properties: inner,
    $defs: inner,
    patternProperties: inner,
    dependentSchemas: inner,
    default: inner,
  };
  const sheet = utils.aoa_to_sheet([
    [name, 'b'],
    [1, 2],
  ]);
  const book = utils.book_new(sheet, 'Sheet');
  return [
    { name: `schema: ${name}`, library: 'schema', input: { schema, data: inner } },
    {
      name: `schema, keywords: ${name}`,
      library: 'schema',
      input: {
        schema: { ...inner, $id: `https://a.example/${name}`, $anchor: name, format: name },
        data: inner,
      },
    },
    {
      name: `catalogue: ${name}`,
      library: 'catalogue',
      input: {
        template: `{{ _("${name}") }}{{ ngettext("${name}", "b", 2) }}`,
        text:
          'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=n != 1;\\n"\n\n' +
          `msgid "${name}"\nmsgid_plural "b"\nmsgstr[0] "x"\nmsgstr[1] "y"\n`,
      },
    },
    { name: `csv: ${name}`, library: 'csv', input: `${name},b,${name}.polluted\n1,2,3\n` },
    {
      name: `sheet: ${name}`,
      library: 'sheet',
      input: (write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer).toString('base64'),
    },
  ];
}

export const ATTACKS: readonly Attack[] = NAMES.flatMap((name) => [
  ...Object.entries(chartShapes(name)).map(([shape, input]): Attack => ({
    name: `chart, ${shape}: ${name}`,
    library: 'chart',
    input,
  })),
  ...templates(name),
  ...others(name),
]);
