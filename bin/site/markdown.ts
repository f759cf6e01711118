import path from 'node:path';
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';

/** Converts the Markdown of the documentation to html like GitHub, with links between pages of the site. */

/** @returns the anchor that GitHub gives a heading */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Returns the relative link from one address to another. Both start at the root of the site. */
export function relativeAddress(from: string, to: string): string {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return relative === '' ? path.posix.basename(to) : relative;
}

export interface Place {
  /** The file that is rendered, from the root of the repository, and its address. */
  file: string;
  address: string;
  /** The addresses of pages and pictures that it may link to, by file. */
  addresses: ReadonlyMap<string, string>;
}

/**
 * @param placeOf returns the rendered page for Eleventy's data
 * @returns a renderer that Eleventy takes
 */
export function renderer<Env>(placeOf: (env: Env) => Place): { render: (text: string, env: Env) => string } {
  const md = new MarkdownIt({
    linkify: false,
    highlight: (code, language) =>
      hljs.getLanguage(language) === undefined ? '' : hljs.highlight(code, { language }).value,
  });
  return {
    render: (text, env) => {
      const place = placeOf(env);
      const tokens = md.parse(text, {});
      for (const [index, token] of tokens.entries()) {
        if (token.type === 'heading_open')
          token.attrSet('id', anchorOf(textOf(tokens[index + 1]?.children ?? [])));
        if (token.type === 'inline') token.children = withPlaces(token.children ?? [], place);
      }
      return md.renderer.render(tokens, md.options, {});
    },
  };
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ content }) => content).join('');
}

/** Rewrites links and pictures to the addresses on the site. Links without a page become text. */
function withPlaces(tokens: readonly Token[], place: Place): Token[] {
  const open: boolean[] = [];
  return tokens.filter((token) => {
    if (token.type === 'image') setAddress(token, 'src', place);
    if (token.type === 'link_open') open.push(setAddress(token, 'href', place));
    if (token.type === 'link_open') return open.at(-1);
    return token.type === 'link_close' ? open.pop() : true;
  });
}

/** @returns whether the site has such an address */
function setAddress(token: Token, attribute: 'href' | 'src', { file, address, addresses }: Place): boolean {
  const link = String(token.attrGet(attribute) ?? '');
  if (/^([a-z]+:|#)/i.test(link)) return true;
  const [target = '', anchor] = link.split('#');
  const linked = path.posix.join(path.posix.dirname(file), target).replace(/\/$/, '');
  const to = addresses.get(linked) ?? addresses.get(`${linked}/README.md`);
  if (to === undefined) return false;
  token.attrSet(attribute, relativeAddress(address, to) + (anchor === undefined ? '' : `#${anchor}`));
  return true;
}
