/** What the author of a template can do about an error whose message presumes that he knows Jinja2. */

const PLAIN =
  '; a text that is no tag stands between {% raw %} and {% endraw %}, and the templating engine "none" fills nothing';

interface Advice {
  /** The messages to which it applies. */
  message: RegExp;
  /** The tags to which it applies; all when absent. */
  tag?: RegExp;
  advice: string | ((tag: string) => string);
}

const SYNTAX = /^(?:unexpected|expected|Expected|Encountered unknown tag|No filter|a tag that begins)/;

const ALL: readonly Advice[] = [
  {
    message: /builtin_function_or_method/,
    advice: (tag) => {
      // bounded: a tag of at most 200 characters, see `adviceFor`
      const member = /([\p{L}_][\p{L}\p{N}_.]*)\.(items|keys|values|get|pop|copy|update)(?![\p{L}\p{N}_])/u;
      const [, owner = 'invoice', name = 'items'] = member.exec(tag) ?? [];
      return `; a name such as items, keys, values or get is a method of every object: write ${owner}['${name}'] for the member of the data`;
    },
  },
  {
    message: /^'str object' has no attribute 'strftime'$/,
    advice: '; a date in the data is a text: use format_date',
  },
  { tag: /^\{\{[-+]?\s*[-+]?\}\}$/, message: SYNTAX, advice: `; the tag is empty${PLAIN}` },
  {
    tag: /^\{\{[-~]?\s*(?:[#/^>]|else\s*\}\})/,
    message: SYNTAX,
    advice: `; this is a tag of Handlebars or Mustache: a loop is {% for item in items %} … {% endfor %}, a condition {% if name %} … {% endif %}${PLAIN}`,
  },
  {
    tag: /^\{#[\w.$]/,
    message: /^a tag that begins/,
    advice: `; {# … #} is a comment; if this is a tag of docxtemplater, a loop is {% for item in items %} … {% endfor %}${PLAIN}`,
  },
  {
    tag: /^\{\{[-+]?\s*(?:if|for|foreach|range|with|set|elif|elsif|elseif|end(?:if|for|each|foreach|with|range)?)\b/,
    message: SYNTAX,
    advice:
      '; a statement stands between {% and %}: {% if name %} … {% endif %}, {% for item in items %} … {% endfor %}',
  },
  {
    tag: /^\{\{[-+]?\s*[$@.\d]/,
    message: SYNTAX,
    advice: `; a name begins with a letter or an underscore: {{ name }}${PLAIN}`,
  },
  {
    message: /^unexpected (?:char )?'[&|?!=]'/,
    advice: '; the operators are and, or, not, == and !=, and a choice is {{ a if name else b }}',
  },
  {
    message: /^expected token 'end of (?:print statement|statement block)', got ':'/,
    advice:
      '; a filter takes its arguments in brackets: {{ name | default("-") }}; with a colon it is Liquid, the templating engine "liquid"',
  },
  {
    message: /^Encountered unknown tag '(?:foreach|endforeach)'/,
    advice: '; a loop is {% for item in items %} … {% endfor %}',
  },
  {
    message: /^Encountered unknown tag '(?:elseif|elsif)'/,
    advice: '; a further condition is {% elif name %}',
  },
  {
    message: /^Encountered unknown tag 'end'/,
    advice: '; a block ends with a tag of its own name: {% endfor %}, {% endif %}',
  },
  {
    message: /^Encountered unknown tag '(?:assign|capture|unless|case|render|increment|decrement|tablerow)'/,
    advice: '; this is a tag of Liquid, the templating engine "liquid"',
  },
  {
    // bounded: a tag of at most 200 characters, see `adviceFor`
    tag: /^\{\{[-+]?\s*[\p{L}_][\p{L}\p{N}_]*(?:[ \u00a0]+[\p{L}\p{N}_]+)+\s*(?:\||[-+]?\}\})/u,
    message: /^expected token 'end of print statement'/,
    advice: (tag) =>
      `; a name is one word: {{ ${(/[\p{L}_][^|}]*/u.exec(tag)?.[0] ?? '').trim().replace(/[ \u00a0]+/g, '_')} }}`,
  },
  {
    tag: /[\p{L}\p{N}_]-[\p{L}_]/u,
    message: /^'[\p{L}\p{N}_]+' is undefined$/u,
    advice: '; a hyphen subtracts, so that a name has none: first_name',
  },
];

/**
 * Returns what the author of a template can do about an error, as the end of the sentence; empty when there is nothing
 * to add.
 *
 * @param tag the tag in which it is, with its delimiters; empty when it is not known
 */
export function adviceFor(message: string, tag: string): string {
  const short = tag.slice(0, 200);
  const found = ALL.find(
    (one) => one.message.test(message) && (one.tag === undefined || one.tag.test(short)),
  );
  if (found === undefined) return '';
  return typeof found.advice === 'string' ? found.advice : found.advice(short);
}

/**
 * Returns the tag of a line in which a column is.
 *
 * @param column 1-based
 */
export function tagAt(line: string, column: number): string {
  const before = line.slice(0, column + 1);
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start === -1) return '';
  const end = line.indexOf(line.startsWith('{{', start) ? '}}' : '%}', start);
  return end === -1 ? line.slice(start) : line.slice(start, end + 2);
}
