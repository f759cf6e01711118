/** Recognises tags of other template languages in a template that has none of ours: they would be printed as they are. */

// bounded: each name has at most 60 characters, and the characters around it are not part of names
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.[\]]{0,59}`;

/** What is said of each kind of tag. A kind precedes those that take its tags for their own. */
const KINDS: readonly [is: string, pattern: string][] = [
  ['a tag of Carbone', String.raw`\{[#/]?[dc]\.${NAME}(?::[^{}<>]{1,80})?\}`],
  ['a tag of PHPWord or FreeMarker', String.raw`\$\{\s?[#/^]?${NAME}\s?\}`],
  ['a tag of docxtemplater', String.raw`\{\s?[#/^$]?${NAME}\s?\}`],
  ['a field of a mail merge', String.raw`<<\[?${NAME}>>`],
  ['a tag of EJS or ERB', String.raw`<%=?\s?${NAME}\s?%>`],
  ['a tag in square brackets', String.raw`\[\[\s?${NAME}\]\]`],
  ['a command of docx-templates', String.raw`\+\+\+\s?(?:INS|FOR|IF|=)\s${NAME}`],
];

const ANY = new RegExp(KINDS.map(([, pattern]) => pattern).join('|'), 'u');
/** A field of Word's own mail merge, in an element or an attribute. */
const MERGE_FIELD = new RegExp(String.raw`\bMERGEFIELD\s+(?:"|&quot;)?${NAME}`, 'u');

/** The name in a tag, without what Carbone and commands have before it. */
const NAMED = new RegExp(String.raw`(?:[dc]\.|MERGEFIELD\s+(?:"|&quot;)?|(?:INS|FOR|IF)\s)?(${NAME})`, 'u');

/** A tag of another language. */
export interface OtherTag {
  text: string;
  /** What it looks like. */
  is: string;
}

/** Returns the first text that looks like a tag of another template language; null when there is none. */
export function otherTagIn(text: string): OtherTag | null {
  const found = ANY.exec(text)?.[0];
  if (found === undefined) return null;
  const [is = ''] = KINDS.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, 'u').test(found)) ?? [];
  return { text: found, is };
}

/** Returns the first merge field of a part of a Word document; null when there is none. */
export function mergeFieldIn(xml: string): OtherTag | null {
  const text = MERGE_FIELD.exec(xml)?.[0];
  return text === undefined ? null : { text, is: 'a merge field of Word' };
}

/** Returns the warning about such a tag, with the tag of Jinja2 that does its work. @param place such as a part */
export function warningOfOther({ text, is }: OtherTag, place: string): string {
  return `The template has no tags, but ${text} (${place}) looks like ${is}: write ${jinjaOf(text)}; the templating engine "none" fills nothing`;
}

function jinjaOf(tag: string): string {
  const found = NAMED.exec(tag)?.[1] ?? 'name';
  const name = tag.startsWith('[[') ? found.replace(/\]{1,2}$/, '') : found;
  if (/^\$?\{\s?\//.test(tag)) return '{% endfor %} or {% endif %}';
  if (tag.startsWith('+++FOR')) return '{% for item in items %} … {% endfor %}';
  if (/^\$?\{\s?#/.test(tag)) return `{% for item in ${name} %} … {% endfor %}`;
  if (/^\$?\{\s?\^/.test(tag)) return `{% if not ${name} %} … {% endif %}`;
  return tag.startsWith('+++IF') ? `{% if ${name} %} … {% endif %}` : `{{ ${name} }}`;
}
