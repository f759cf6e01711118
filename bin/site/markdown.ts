import path from 'node:path';
import hljs from 'highlight.js/lib/common';
import type { MarkdownOptions } from 'vitepress';

/** Markdown as GitHub shows it, so that the same files can be read in both places. */

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

/** @returns the anchor that GitHub gives a heading */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** @returns a block of code with classes, because a strict Content-Security-Policy refuses attributes of style */
export function highlight(code: string, language: string): string {
  const known = hljs.getLanguage(language) === undefined ? 'plaintext' : language;
  return `<pre v-pre tabindex="0"><code>${hljs.highlight(code, { language: known }).value}</code></pre>`;
}

/** What is where on the site. Files start at the root of the repository, addresses at that of the site. */
export interface Places {
  fileOf: (address: string) => string;
  /** Of a page or a picture; undefined if it is not on the site. */
  addressOf: (file: string) => string | undefined;
  /** The file about a word in code: an error code becomes a link to its page. */
  pageOf: (word: string) => string | undefined;
  /** Pixels of a picture by its address, so that text does not move when it arrives. */
  sizeOf: (address: string) => { width: number; height: number } | undefined;
}

/**
 * Makes links between files of the repository links between pages, leaves text in double braces to the service, and
 * shows adjacent blocks of code with labels (three backticks, `sh [curl]`) as tabs.
 */
export function forSite(md: Markdown, places: Places): void {
  md.core.ruler.push('platen', ({ tokens, env, Token: Made }) => {
    const { relativePath } = env as { relativePath: string };
    const folder = path.posix.dirname(places.fileOf(relativePath));
    for (const [index, token] of tokens.entries()) {
      // An indented block of code gets the frame of the others, which scrolls.
      if (token.type === 'code_block') token.type = 'fence';
      if (token.type === 'inline')
        token.children = withLinks(
          withAddresses(token.children ?? [], folder, places),
          (word) => places.addressOf(places.pageOf(word) ?? ''),
          (type, nesting) => new Made(type, 'a', nesting),
        );
      if (token.type === 'th_open' && tokens[index + 1]?.content === '')
        for (const part of [token, tokens[index + 2]]) if (part !== undefined) part.tag = 'td';
      const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? [];
      if (side === undefined) continue;
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
      token.attrJoin('class', side);
    }
    const mark = (nesting: 1 | -1): Token => {
      const token = new Made(`container_code-group_${nesting === 1 ? 'open' : 'close'}`, 'div', nesting);
      token.info = 'code-group';
      return token;
    };
    for (let end = tokens.length; end > 0; end--) {
      let start = end;
      while (isLabelled(tokens[start - 1])) start--;
      if (end - start < 2) continue;
      tokens.splice(start, end - start, mark(1), ...tokens.slice(start, end), mark(-1));
      end = start;
    }
  });
  for (const name of ['text', 'code_inline'] as const) {
    const rule = md.renderer.rules[name];
    md.renderer.rules[name] = (...args) => (rule?.(...args) ?? '').replaceAll('{{', '&#123;&#123;');
  }
}

function isLabelled(token: Token | undefined): boolean {
  return token?.type === 'fence' && token.info.endsWith(']');
}

/** Makes words in code links to the pages about them, where they are in no link. */
function withLinks(
  tokens: readonly Token[],
  addressOf: (word: string) => string | undefined,
  mark: (type: string, nesting: 1 | -1) => Token,
): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    depth += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
    const to = depth === 0 && token.type === 'code_inline' ? addressOf(token.content) : undefined;
    if (to === undefined) return [token];
    const open = mark('link_open', 1);
    open.attrSet('href', `/${to}`);
    return [open, token, mark('link_close', -1)];
  });
}

/** Rewrites links and pictures. Links to what is not on the site become text. */
function withAddresses(tokens: readonly Token[], folder: string, places: Places): Token[] {
  const open: boolean[] = [];
  return tokens.filter((token) => {
    if (token.type === 'image') setAddress(token, 'src', folder, places);
    if (token.type === 'link_open') open.push(setAddress(token, 'href', folder, places));
    if (token.type === 'link_open') return open.at(-1);
    return token.type === 'link_close' ? open.pop() : true;
  });
}

/** @returns whether the site has such an address */
function setAddress(
  token: Token,
  attribute: 'href' | 'src',
  folder: string,
  { addressOf, sizeOf }: Places,
): boolean {
  const link = String(token.attrGet(attribute) ?? '');
  if (/^([a-z]+:|#|\/)/i.test(link)) return true;
  const [target = '', anchor] = link.split('#');
  const linked = path.posix.join(folder, target).replace(/\/$/, '');
  const to = addressOf(linked) ?? addressOf(`${linked}/README.md`);
  if (to === undefined) return false;
  for (const [side, pixels] of Object.entries(sizeOf(to) ?? {})) token.attrSet(side, String(pixels));
  token.attrSet(attribute, `/${to}${anchor === undefined ? '' : `#${anchor}`}`);
  return true;
}
