/** A template to be added, for tests that are about something else. */

/** Returns a file of a template, as requests bring it. */
export const file = (text: string) => ({
  bytes: Buffer.from(text),
  filename: null,
  contentType: 'text/html',
});

/** What a template has besides its files. */
export const FIELDS = {
  name: 'n',
  format: 'html',
  description: null,
  templatingEngine: 'jinja2',
  options: {},
} as const;
