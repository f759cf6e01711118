import * as z from 'zod';

/** The options of a rendering that are about the browser (I-53). */

/** Milliseconds: more than a rendering has. */
const MOST_WAIT = 600_000;
/** CSS pixels. */
const side = z.number().int().min(1).max(10_000);
/** Of a cookie or a header: bytes of Latin-1, without those that control (RFC 9110, 5.5). */
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
export type FailOn = (typeof FAIL_ON)[number];

const waitFor = z
  .object({
    selector: z.string().min(1).max(1_000).optional().meta({ description: 'An element that matches.' }),
    expression: z.string().min(1).max(10_000).optional().meta({
      description: 'A JavaScript expression that is true, or a promise of that.',
    }),
    milliseconds: z.number().int().min(0).max(MOST_WAIT).optional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'a selector, an expression or milliseconds')
  .meta({
    description:
      'What has to be there before the document counts as loaded; with several members, all of them. What does not come in time is an error `deadline_exceeded`.',
  });

const cookie = z.object({
  name: token,
  value: secret,
  domain: z
    .string()
    .max(253)
    .regex(/^\.?[a-z\d.-]+$/i)
    .meta({ description: 'Host it is for; with a dot before it, those below it as well.' }),
  path: z.string().max(1_000).regex(/^\//).optional().meta({ description: 'Default `/`.' }),
  secure: z.boolean().optional().meta({ description: 'Over https only. Default false.' }),
});

const header = z.object({
  origin: z
    .string()
    .max(300)
    .regex(/^https?:\/\/[^/?#@\s]+$/i)
    .refine((origin) => URL.canParse(origin), 'an origin such as https://example.com')
    .meta({ description: 'The one that it is sent to, such as `https://example.com`.' }),
  name: token.refine((name) => !REFUSED_HEADERS.test(name), 'a header that does not rule the connection'),
  value: secret,
});

/** What clients of HTTP write themselves, and `Cookie`, for which there is an option. */
const REFUSED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|cookie|proxy-.*)$/i;

/** Options that say what the browser is, and waits for. */
export const browserOptions = {
  wait_for: waitFor,
  media: z.enum(['print', 'screen']).meta({
    description: 'Whose style rules hold. Default: print; of pictures, screen.',
  }),
  viewport: z.object({ width: side, height: side }).meta({
    description:
      'Window that scripts and media queries see, in CSS pixels. Default: the room on the page; of pictures, 1280 × 720.',
  }),
  javascript: z.boolean().meta({ description: 'Whether scripts of the document run. Default true.' }),
  cookies: z
    .array(cookie)
    .max(50)
    .meta({ description: 'Cookies that are sent with what the document loads.' }),
  headers: z.array(header).max(50).meta({
    description:
      'Headers that are sent with what the document loads, each to one origin, redirects included.',
  }),
  fail_on: z.array(z.enum(FAIL_ON)).max(FAIL_ON.length).meta({
    description:
      'What makes a rendering an error `document_faulty`: `resources` that cannot be had or shown, errors in the `console`, answers of `http` from 400 on. Default: nothing.',
  }),
};

/** Options of pictures of a document. */
export const pictureOptions = {
  full_page: z
    .boolean()
    .meta({ description: 'All of the document, or what the viewport shows of it. Default true.' }),
  selector: z
    .string()
    .min(1)
    .max(1_000)
    .meta({ description: 'Picture of the first element that matches, instead.' }),
  device_scale: z
    .number()
    .min(0.1)
    .max(10)
    .meta({ description: 'Dots in a CSS pixel of a picture. Default 1.' }),
  transparent: z.boolean().meta({
    description: 'Nothing behind the document, in place of white: png and webp. Default false.',
  }),
  quality: z.number().int().min(1).max(100).meta({ description: 'Of jpeg and webp. Default 80.' }),
};
