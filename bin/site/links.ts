import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Checks the links of the built site: each target exists, and no page loads anything from other hosts. */

/**
 * @param folder the built site
 * @param base its path on its host, such as `/docs/`
 * @returns the faults by page; empty if there are none
 */
export function faultsOf(folder: string, base: string): string[] {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const pages = new Map(
    [...files]
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]),
  );
  const anchors = new Map([...pages].map(([file, html]) => [file, anchorsOf(html)]));
  return [...pages].flatMap(([file, html]) =>
    // bounded: a page of our own documentation
    Array.from(html.matchAll(/<(\w+)[^>]*?\s(href|src)="([^"]*)"/g)).flatMap(
      ([, element = '', , address = '']) => {
        if (/^(https?:)?\/\//.test(address))
          return element === 'a' ? [] : [`${file} loads ${address} from elsewhere`];
        if (/^(mailto|data):/.test(address)) return [];
        const [target = '', anchor] = decodeURI(address).split('#');
        const to =
          target === ''
            ? file
            : target.startsWith(base)
              ? target.slice(base.length).replace(/^$|\/$/, '$&index.html')
              : path.posix.join(path.posix.dirname(file), target);
        if (!files.has(to)) return [`${file} links to ${address}, which does not exist`];
        const isThere = anchor === undefined || !to.endsWith('.html') || anchors.get(to)?.has(anchor);
        return isThere === true ? [] : [`${file} links to ${address}, a heading that does not exist`];
      },
    ),
  );
}

function anchorsOf(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id));
}
