import { describe, expect, it } from 'vitest';
import { OPTION_NAMES } from '../../packages/contract/src/option-effects.ts';
import { templateFieldsSchema } from '../../packages/contract/src/options.ts';
import type { Route } from '../../packages/contract/src/route.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { createGroup, json, type Serve } from '../../functions/shared/http/index.ts';
import type { JobServices } from '../../functions/shared/jobs/config.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { bodyText, CONTEXT, type EventInput, gatewayEvent, multipart } from '../support/gateway-event.ts';

/** I-7, wherever options come in: a wrong value is 422 and named, with what is allowed. */

setLogLevel('silent');

type Option = (typeof OPTION_NAMES)[number];

/** JSON texts, by what an option takes. */
const NUMBER = ['"big"', '"NaN"', '"1,5"', '1e999', '-1', '1e300', 'true', '[1]', '{"a":1}', '"0x1"'];
const BOOLEAN = ['"maybe"', '2', '-1', '[true]', '[1]', '{}', '{"toString":1}', '"truetrue"'];
const NAME = ['"B5"', '5', 'true', '["A4"]', '{"a":1}', '"__proto__"'];
const TEXT = ['true', '["a"]', '{"a":1}', '12345678901234567890'];
const WRONG: Readonly<Record<Option, readonly string[]>> = {
  paper_format: NAME,
  landscape: BOOLEAN,
  paper_width: [...NUMBER, '0.4', '509', '"content"', '"5em"', '"-4in"', '"201in"'],
  paper_height: [...NUMBER, '0.4', '"contents"', '"15000pt"', '"4 in wide"'],
  margin_top: [...NUMBER, '100.5'],
  margin_bottom: NUMBER,
  margin_left: NUMBER,
  margin_right: NUMBER,
  css_page: BOOLEAN,
  scale: [...NUMBER, '3', '0.05', '0'],
  print_background: BOOLEAN,
  page_range: [
    ...TEXT,
    ...['"a-b"', '"0"', '0', '"5-2"', '","', '"-"', '"1;2"', '1.5', '-1.5'],
    '"1-99999999999999999999"',
    `"${'9'.repeat(400)}-"`,
    `"${'1,'.repeat(600)}1"`,
  ],
  compress: BOOLEAN,
  steps: ['true', '5', '{"merge":{}}', '[]', '[{}]', '[{"nonsense":{}}]', '[{"rotate":{"angle":45}}]'],
  conformance: [
    ...['"pdf/a-1b"', '5', 'true', '["pdf/a-2b","pdf/a-3b"]', '["pdf/ua-2"]', '{"a":1}', '[1]'],
    `[${'"pdf/ua-1",'.repeat(7)}"pdf/ua-1"]`,
  ],
  on_violation: NAME,
  language: [...TEXT, '"de DE"', '"-"', '"deutschland"', `"de${'-x'.repeat(40)}"`],
  title: [...TEXT, `"${'x'.repeat(1001)}"`],
  outline: BOOLEAN,
  form_fields: BOOLEAN,
  office: ['"landscape"', '5', 'true', '["landscape"]', '{"landscape":"yes"}', '{"hidden_slides":2}'],
  view: [
    '"outline"',
    '5',
    '[]',
    '{"panel":"left"}',
    '{"page":0}',
    '{"page":1.5}',
    '{"zoom":0}',
    '{"zoom":"fit"}',
  ],
  sign: ['"seal"', '5', 'true', '[]'],
  encrypt_password: [...TEXT, `"${'x'.repeat(128)}"`, `"${'é'.repeat(64)}"`, '"a\\u0000b"', '"\\ud800"'],
  wait_for: [
    '"#late"',
    '5',
    'true',
    '[]',
    '{}',
    '{"selector":""}',
    '{"milliseconds":-1}',
    '{"milliseconds":1.5}',
  ],
  media: NAME,
  viewport: ['"800x600"', '5', 'true', '[800,600]', '{"width":"a","height":600}', '{"width":0,"height":600}'],
  javascript: BOOLEAN,
  cookies: [
    '"a=b"',
    '5',
    '{"name":"a"}',
    '[{"name":"a","value":"b","domain":"e/x"}]',
    '[{"name":"a b","value":"c","domain":"e.example"}]',
  ],
  headers: [
    ...[
      '"a: b"',
      '5',
      '{"a":"b"}',
      '[{"origin":"ftp://e.example","name":"a","value":"b"}]',
      '[{"origin":"https://[","name":"a","value":"b"}]',
      '[{"origin":"https://a:99999","name":"a","value":"b"}]',
      '[{"origin":"https://a","name":"a","value":"€"}]',
    ],
    '[{"origin":"https://e.example","name":"host","value":"b"}]',
    '[{"origin":"https://e.example","name":"a","value":"b\\nc"}]',
    '[{"origin":"https://e.example/path","name":"a","value":"b"}]',
  ],
  fail_on: [
    '"errors"',
    '5',
    'true',
    '["errors"]',
    '{"http":true}',
    '[{}]',
    '[{"http":["44"]}]',
    '[{"except":["a"]}]',
  ],
  full_page: BOOLEAN,
  selector: TEXT,
  device_scale: [...NUMBER, '0.05', '11'],
  transparent: BOOLEAN,
  quality: [...NUMBER, '0', '101', '1.5'],
  display_header_footer: BOOLEAN,
  disable_header_footer_first_page: BOOLEAN,
  first_page_number: [...NUMBER, '1.5', '1000001'],
  header_file: [...TEXT, '{}', '{"frist":"x"}', '{"first":[1]}', '{"3-2":"x"}', '{"0":"x"}'],
  footer_file: [...TEXT, '{"default":"x","2-3-4":"y"}'],
  title_header_enabled: BOOLEAN,
  date_header_enabled: BOOLEAN,
  locale: ['"xx_YY"', '"German (Austria)"', '"-"', `"de${'-x'.repeat(40)}"`, ...TEXT],
  date_locale: [
    '"xx_YY"',
    '"German (Austria)"',
    '"C"',
    '"de_AT@euro"',
    '5',
    ...TEXT,
    `"de${'-x'.repeat(40)}"`,
  ],
  page_number_footer_enabled: BOOLEAN,
  templating_engine: [...NAME, '"Jinja"'],
  undefined: [...NAME, '"Strict"'],
  autoescape: BOOLEAN,
  rendering_engine: NAME,
  filename: [...TEXT, `"${'x'.repeat(1001)}"`],
  // Faults of its members are told by their own names.
  factur_x: ['"en16931"', '5', 'true', '[]'],
  x: [...NUMBER, '201'],
  y: NUMBER,
  w: [...NUMBER, '0'],
  h: [...NUMBER, '0'],
  keep_ratio: BOOLEAN,
  image_mode: [...NAME, '"rgb"'],
  transparency_enabled: BOOLEAN,
  background_color: [
    ...['"red"', '"#ffffff"', '"255,255,255"', '5', 'true', '{"r":1}', '[]', '[1,2]', '[1,2,3,4]'],
    ...['[1,2,256]', '[1,2,-1]', '[1,2,null]', '[1.5,0,0]', '["a",0,0]', '[[1],0,0]', '[1,2,1e999]'],
  ],
  alt: [...TEXT, `"${'x'.repeat(1001)}"`],
  text_enabled: BOOLEAN,
};

const RIGHT: Readonly<Partial<Record<Option, readonly [string, unknown][]>>> = {
  conformance: [
    ['["pdf/a-3a","pdf/ua-1"]', ['pdf/a-3a', 'pdf/ua-1']],
    ['"[\\"pdf/a-2b\\"]"', ['pdf/a-2b']],
    ['[]', []],
  ],
  landscape: [
    ['"TRUE"', true],
    ['0', false],
  ],
  scale: [
    ['"1.5"', 1.5],
    ['2', 2],
  ],
  page_range: [
    ['7', '7'],
    ['" 1 - 3 ,5, 8-"', ' 1 - 3 ,5, 8-'],
    ['"-3"', '-3'],
  ],
  date_locale: [
    ['"de_AT"', 'de_AT'],
    ['"pl-PL"', 'pl-PL'],
    ['"zh_Hant_TW"', 'zh_Hant_TW'],
    ['"sr_Latn_RS"', 'sr_Latn_RS'],
    ['"fr"', 'fr'],
  ],
  steps: [
    ['[{"rotate":{"angle":"90"}}]', [{ rotate: { angle: 90 } }]],
    ['[{"page_numbers":{}},{"linearize":{}}]', [{ page_numbers: {} }, { linearize: {} }]],
  ],
  encrypt_password: [
    ['1234', '1234'],
    [`"${'é'.repeat(63)}"`, 'é'.repeat(63)],
  ],
  background_color: [
    ['[1,2,3]', [1, 2, 3]],
    ['"[1,2,3]"', [1, 2, 3]],
    ['["1","2","3"]', [1, 2, 3]],
  ],
  templating_engine: [['"none"', 'none']],
};

/** One place that options come in. */
interface Place {
  route: Route;
  field: 'render_options' | 'template_data';
  options: readonly Option[];
}

const TEMPLATE_OPTIONS = OPTION_NAMES.filter((name) => Object.hasOwn(templateFieldsSchema.shape, name));

const PLACES: Place[] = ROUTES.flatMap((route) => {
  const fields = { ...route.form?.shape, ...route.query?.shape };
  return [
    ...('render_options' in fields
      ? [{ route, field: 'render_options', options: OPTION_NAMES } as const]
      : []),
    // Style and image files have a `template_data` as well, without options.
    ...('template_data' in fields && !/\/(css|img)\//.test(route.path)
      ? [{ route, field: 'template_data', options: TEMPLATE_OPTIONS } as const]
      : []),
  ];
});

/** A function group whose every operation answers with what it was given. */
function echo(group: Route['group']): Serve {
  const operations = Object.fromEntries(
    ROUTES.filter((route) => route.group === group).map(({ operation }) => [
      operation,
      (request: { form: object; query: object }) =>
        Promise.resolve(json({ ...request.query, ...request.form })),
    ]),
  );
  return createGroup(group, operations, { jobs: {} as JobServices });
}
const serves = new Map<string, Serve>();

async function send({ route, field }: Place, option: Option, text: string, headers = {}): Promise<Answer> {
  const serve = serves.get(route.group) ?? echo(route.group);
  serves.set(route.group, serve);
  const path = route.path.replace(/\{\w+\+?\}/g, 'pdf');
  const value = `{"name":"a","format":"html",${JSON.stringify(option)}:${text}}`;
  const event: EventInput =
    route.method === 'GET'
      ? { method: 'GET', path: `${path}?render_options=${encodeURIComponent(value)}` }
      : {
          method: route.method,
          path,
          ...multipart([
            { name: field, content: value },
            // What the routes want besides.
            { name: 'data', content: '{"data":"a","barcode_format":"qr"}' },
            { name: 'url', content: 'http://example.com/' },
          ]),
        };
  const reply = await serve(gatewayEvent({ ...event, headers: { ...event.headers, ...headers } }), CONTEXT);
  return { status: reply.status, body: JSON.parse(bodyText(reply)) as Answer['body'] };
}

interface Answer {
  status: number;
  body: Record<string, unknown> & {
    detail: string;
    errors: { field: string; message: string; value?: unknown; allowed: unknown }[];
  };
}

const CODES = [
  'invalid_option',
  'invalid_field',
  'page_range_invalid',
  'page_range_outside_document',
  'steps_invalid',
];

describe('every option, wherever options come in', () => {
  it('every kind of request is covered: single renderings, batches, web pages, images, barcodes, templates', () => {
    expect(PLACES.map(({ route, field }) => `${route.operation} ${field}`).toSorted()).toEqual([
      'addTemplate template_data',
      'changeTemplate template_data',
      'getChangedFields template_data',
      'renderBarcode render_options',
      'renderImage render_options',
      'renderNow render_options',
      'renderNow template_data',
      'renderNowBatch render_options',
      'renderNowBatch template_data',
      'renderStoredImage render_options',
      'renderStoredImageByPost render_options',
      'renderTemplate render_options',
      'renderTemplateBatch render_options',
      'renderUrl render_options',
    ]);
  });

  it.each(PLACES.map((place) => [place.route.operation, place.field, place] as const))(
    '%s, %s: a wrong value is 422 that names the option, the value and the allowed ones, and starts no job',
    async (_operation, field, place) => {
      const isJob = place.route.method === 'POST' && 'document' in place.route.success;
      for (const option of place.options) {
        for (const text of WRONG[option]) {
          for (const headers of isJob ? [{}, { Prefer: 'respond-async' }] : [{}]) {
            const { status, body } = await send(place, option, text, headers);
            const told = { option, text, status, code: body['code'], detail: body.detail };
            expect(told).toMatchObject({ status: 422, code: expect.toBeOneOf(CODES) as string });
            const [fault] = body.errors;
            expect(fault?.field).toMatch(
              new RegExp(`^${field}\\.${option}(\\[\\d\\])?(\\.\\w+(\\[\\d\\])?)*$`),
            );
            expect(body.detail).toContain(`${fault?.field} `);
            expect(body.detail).toContain('must be ');
            expect(fault?.allowed, JSON.stringify(told)).toBeTruthy();
            // What was wrong with a password is nobody else's business: answers are kept with jobs.
            // A list of steps may hold one, so that nothing but a member of a step is said again.
            const mayHideSecrets = ['steps', 'cookies', 'headers'].includes(option);
            if (!mayHideSecrets || fault?.field.includes('.angle') === true) {
              expect(fault !== undefined && 'value' in fault, JSON.stringify(told)).toBe(
                option !== 'encrypt_password',
              );
            }
            expect(body.detail).not.toMatch(/is (null|undefined), but.*(number|true or false)$/);
          }
        }
      }
    },
    60_000,
  );

  it.each(PLACES.map((place) => [place.route.operation, place.field, place] as const))(
    '%s, %s: a right value is accepted in every spelling, and null and "" are no value',
    async (_operation, field, place) => {
      for (const option of place.options) {
        for (const [text, expected] of RIGHT[option] ?? []) {
          const { status, body } = await send(place, option, text);
          expect({ option, text, status, value: body[field] }).toMatchObject({
            status: 200,
            value: { [option]: expected },
          });
        }
        for (const nothing of ['null', '""']) {
          const { status, body } = await send(place, option, nothing);
          expect({ option, status }).toEqual({ option, status: 200 });
          expect(body[field]).not.toHaveProperty(option);
        }
      }
    },
  );

  it('a password in template_data is refused, never left out (I-21)', async () => {
    for (const place of PLACES.filter(({ field }) => field === 'template_data')) {
      const { status, body } = await send(place, 'encrypt_password', '"hidden-word"');
      expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'option_not_supported' });
      expect(body.errors[0]?.field).toBe('template_data.encrypt_password');
      expect(body.detail).toContain('render_options.encrypt_password');
      expect(JSON.stringify(body)).not.toContain('hidden-word');
      expect((await send(place, 'encrypt_password', '""')).status).toBe(200);
    }
  });
});
