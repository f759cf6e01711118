import { SPACE } from '../values/text.ts';

/**
 * The notation of templates: delimiters and the treatment of white space around tags. Jinja2's options and
 * defaults.
 */
export interface Syntax {
  blockStart: string;
  blockEnd: string;
  variableStart: string;
  variableEnd: string;
  commentStart: string;
  commentEnd: string;
  /** Prefix of lines that are statements. */
  lineStatementPrefix: string | null;
  /** Prefix of a comment up to the end of the line. */
  lineCommentPrefix: string | null;
  /** The line break after a block is removed. */
  trimBlocks: boolean;
  /** White space from the beginning of the line to a block is removed. */
  lstripBlocks: boolean;
  newlineSequence: '\n' | '\r\n' | '\r';
  keepTrailingNewline: boolean;
}

export const DEFAULT_SYNTAX: Readonly<Syntax> = Object.freeze({
  blockStart: '{%',
  blockEnd: '%}',
  variableStart: '{{',
  variableEnd: '}}',
  commentStart: '{#',
  commentEnd: '#}',
  lineStatementPrefix: null,
  lineCommentPrefix: null,
  trimBlocks: false,
  lstripBlocks: false,
  newlineSequence: '\n',
  keepTrailingNewline: false,
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/gu, '\\$&');
}

/** The patterns of a syntax, made once. All but `opener` are sticky. */
export interface SyntaxPatterns {
  /** The next opening tag, with its kind as the name of the group that matched. */
  opener: RegExp;
  commentEnd: RegExp;
  rawEnd: RegExp;
  blockEnd: RegExp;
  variableEnd: RegExp;
}

const S = `[${SPACE}]`;

export function compilePatterns(syntax: Syntax): SyntaxPatterns {
  const block = escapeRegExp(syntax.blockStart);
  const blockEnd = escapeRegExp(syntax.blockEnd);
  const variableEnd = escapeRegExp(syntax.variableEnd);
  const commentEnd = escapeRegExp(syntax.commentEnd);
  const suffix = syntax.trimBlocks ? '\\n?' : '';
  const closing = (end: string): string => `(?:\\+${end}|-${end}${S}*|${end}${suffix})`;
  return {
    opener: new RegExp(openers(syntax, block, blockEnd), 'gs'),
    commentEnd: new RegExp(closing(commentEnd), 'g'),
    rawEnd: new RegExp(`${block}([-+]?)${S}*endraw${S}*${closing(blockEnd)}`, 'g'),
    blockEnd: new RegExp(closing(blockEnd), 'y'),
    variableEnd: new RegExp(`-${variableEnd}${S}*|${variableEnd}`, 'y'),
  };
}

/** Returns opening tags from the longest to the shortest, so that `<%` and `<%=` can coexist. */
function openers(syntax: Syntax, block: string, blockEnd: string): string {
  const rules: [length: number, name: string, pattern: string][] = [
    [syntax.commentStart.length, 'comment', escapeRegExp(syntax.commentStart)],
    [syntax.blockStart.length, 'block', block],
    [syntax.variableStart.length, 'variable', escapeRegExp(syntax.variableStart)],
  ];
  if (syntax.lineStatementPrefix !== null) {
    const prefix = escapeRegExp(syntax.lineStatementPrefix);
    rules.push([syntax.lineStatementPrefix.length, 'linestatement', `(?<![^\\n])[ \\t\\v]*${prefix}`]);
  }
  if (syntax.lineCommentPrefix !== null) {
    const prefix = escapeRegExp(syntax.lineCommentPrefix);
    rules.push([
      syntax.lineCommentPrefix.length,
      'linecomment',
      `(?:(?<![^\\n])|(?<=\\S))[^\\S\\r\\n]*${prefix}`,
    ]);
  }
  // Jinja2 sorts by length and then by name, both descending.
  rules.sort((a, b) => b[0] - a[0] || (a[1] + a[2] < b[1] + b[2] ? 1 : -1));
  const raw = `(?<raw>${block}(?<sign_raw>[-+]?)${S}*raw${S}*(?:-${blockEnd}${S}*|${blockEnd}))`;
  return [raw, ...rules.map(([, name, pattern]) => `(?<${name}>${pattern}(?<sign_${name}>[-+]?))`)].join('|');
}
