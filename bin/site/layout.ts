import { relativeAddress } from './markdown.ts';
import type { Section } from './sources.ts';

/** The layout of every page: the navigation of the site and a search field. */

export interface Frame {
  title: string;
  address: string;
  /** The page's own html. */
  content: string;
  sections: readonly Section[];
  addressOf: (file: string) => string;
}

/** @returns a complete page, which loads only files of the site */
export function pageIn({ title, address, content, sections, addressOf }: Frame): string {
  const to = (target: string): string => relativeAddress(address, target);
  const root = '../'.repeat(address.split('/').length - 1);
  const lists = sections.map(({ title: heading, links }) => {
    const items = links.map(({ title: text, file }) => {
      const target = addressOf(file);
      const current = target === address ? ' aria-current="page"' : '';
      return `<li><a href="${to(target)}"${current}>${escaped(text)}</a></li>`;
    });
    return `<h2>${escaped(heading)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Platen</title>
<link rel="stylesheet" href="${root}assets/site.css">
<script defer src="${root}assets/search.js" data-root="${root}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Documentation">
<p class="name"><a href="${to('index.html')}">Platen</a></p>
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-controls="results">
<ol id="results" aria-live="polite"></ol>
</search>
<details open>
<summary>Pages</summary>
${lists.join('\n')}
</details>
</nav>
<main id="content">
${content}
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
