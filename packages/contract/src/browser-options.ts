import * as z from 'zod';
import { checkedText } from './option-values.ts';

/** The options of a rendering that concern the browser (I-53). */

/** Milliseconds; longer than any rendering may take. */
const MAX_WAIT = 600_000;
/** CSS pixels. */
const side = z.number().int().min(1).max(10_000);
/**
 * Value of a cookie or a header: Latin-1 without control characters (RFC 9110, 5.5); the limit is in bytes.
 */
const secret = z
  .string()
  .max(8_000)
  .regex(/^[\x20-\x7e\x80-\xff]*$/)
  .meta({ format: 'password' });
const token = z
  .string()
  .max(200)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/);

export const FAIL_ON = ['resources', 'console', 'http'] as const;

/** Returns a schema of texts with a pattern. @param allowed completes the sentence "the value must be …" */
const patterned = (pattern: RegExp, allowed: string): z.ZodString =>
  checkedText(z.string().max(253), (text) => (pattern.test(text) ? null : { allowed }));

const status = patterned(/^[1-5](?:\d\d|xx)$/, 'a status such as "404" or "5xx"');
const statuses = z.array(status).max(100);
const host = patterned(/^[a-z\d.-]+$/i, 'a host such as example.com');

/** Which responses are a fault. */
const responses = z
  .strictObject({
    http: statuses.optional().meta({ description: 'Statuses of resources, such as `404` or `5xx`.' }),
    except: z.array(host).max(50).optional().meta({
      description: 'Hosts whose responses are no fault in `http`, with their subdomains.',
    }),
    page: statuses.optional().meta({
      description: 'Statuses of the page at a url; with all others, it is printed. Default: from 400 on.',
    }),
  })
  .refine(({ http, page }) => http !== undefined || page !== undefined, 'statuses in http or in page')
  .meta({ id: 'FaultyResponses' });
const fault = z.union([z.enum(FAIL_ON), responses]);
export type FailOn = z.infer<typeof fault>;

const MEDIA = z.enum(['print', 'screen']);
/** Media features that documents ask for (Media Queries 5). */
export const MEDIA_FEATURES = [
  'color-gamut',
  'forced-colors',
  'prefers-color-scheme',
  'prefers-contrast',
  'prefers-reduced-data',
  'prefers-reduced-motion',
  'prefers-reduced-transparency',
] as const;
const media = z.union([
  MEDIA,
  z
    .strictObject({
      type: MEDIA.optional(),
      features: z
        .partialRecord(
          z.enum(MEDIA_FEATURES),
          patterned(/^[a-z\d-]{1,50}$/, 'a value of a media feature such as reduce'),
        )
        .meta({ description: 'Values of media features, such as `{"prefers-reduced-motion": "reduce"}`.' }),
    })
    .meta({ id: 'EmulatedMedia' }),
]);

const waitFor = z
  .object({
    selector: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'Wait for an element that matches.' }),
    expression: z.string().min(1).max(10_000).optional().meta({
      description: 'Wait until this JavaScript expression, or its promise, is true.',
    }),
    milliseconds: z.number().int().min(0).max(MAX_WAIT).optional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'a selector, an expression or milliseconds')
  .meta({
    id: 'WaitConditions',
    description:
      'Conditions for the document to count as loaded; all given members must be met. A condition that is not met in time is an error `deadline_exceeded`.',
  });

const cookie = z
  .object({
    name: token,
    value: secret,
    domain: z
      .string()
      .max(253)
      .regex(/^\.?[a-z\d.-]+$/i)
      .meta({ description: 'Host of the cookie; with a leading dot, also its subdomains.' }),
    path: z.string().max(1_000).regex(/^\//).optional().meta({ description: 'Default `/`.' }),
    secure: z.boolean().optional().meta({ description: 'Send the cookie over https only. Default false.' }),
  })
  .meta({ id: 'Cookie' });

const header = z
  .object({
    origin: z
      .string()
      .max(300)
      .regex(/^https?:\/\/[^/?#@\s]+$/i)
      .refine((origin) => URL.canParse(origin), 'an origin such as https://example.com')
      .optional()
      .meta({ description: 'Origin that receives the header, such as `https://example.com`.' }),
    scope: z.string().min(1).max(1_000).optional().meta({
      description:
        'Regular expression (RE2) instead of an origin: every address in which it occurs receives the header, such as `^https://([a-z]+\\.)?example\\.com/`.',
    }),
    name: token.refine((name) => !REFUSED_HEADERS.test(name), 'a header that does not rule the connection'),
    value: secret,
  })
  .refine(({ origin, scope }) => (origin === undefined) !== (scope === undefined), 'an origin or a scope')
  .meta({ id: 'RequestHeader' });

/** Headers that HTTP clients write themselves, and `Cookie`, which has an option of its own. */
const REFUSED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|cookie|proxy-.*)$/i;

/** Options that configure the browser and set what it waits for. */
export const browserOptions = {
  wait_for: waitFor,
  media: media.meta({
    description: 'Media type for style rules, or type and features. Default: print; for pictures, screen.',
  }),
  viewport: z.object({ width: side, height: side }).meta({
    id: 'Viewport',
    description:
      'Window size for scripts and media queries, in CSS pixels. Default: the content area of the page; for pictures, 1280 × 720.',
  }),
  javascript: z.boolean().meta({ description: 'Run the scripts of the document. Default true.' }),
  cookies: z.array(cookie).max(50).meta({ description: 'Cookies for the requests of the document.' }),
  headers: z.array(header).max(50).meta({
    description:
      'Headers for the requests of the document, each to the addresses that its `origin` or its `scope` covers, including redirects.',
  }),
  fail_on: z
    .array(fault)
    .max(FAIL_ON.length + 1)
    .meta({
      description:
        'Faults that make a rendering an error `document_faulty`: `resources` that are unavailable or cannot be shown, errors in the `console`, `http` responses with status 400 or higher, or with the statuses of an object. Default: none.',
    }),
};

/** Options for pictures of a document. */
export const pictureOptions = {
  full_page: z
    .boolean()
    .meta({ description: 'Picture of the whole document instead of the viewport. Default true.' }),
  selector: z
    .string()
    .min(1)
    .max(1_000)
    .meta({ description: 'Picture of the first matching element instead.' }),
  device_scale: z.number().min(0.1).max(10).meta({ description: 'Device pixels per CSS pixel. Default 1.' }),
  transparent: z.boolean().meta({
    description: 'Transparent instead of white background, for png and webp. Default false.',
  }),
  quality: z.number().int().min(1).max(100).meta({ description: 'Quality of jpeg and webp. Default 80.' }),
};
