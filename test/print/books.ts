import { pdfText } from '../chrome/pdf.ts';

/** Generates books with contents and references, and checks the numbers in a printed one. */

/** Returns pseudo-random numbers, the same for each seed. */
export function seededRandom(seed: number): (sides: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0;
    return state % sides;
  };
}

const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ');

export interface Book {
  html: string;
  /** Returns titles of chapters and sections, each of which is only once in the text. */
  headings: string[];
}

/** Returns a different book for each seed: lengths, sizes, breaks, and tables of contents with wrapped lines. */
export function bookOf(seed: number): Book {
  const roll = seededRandom(seed);
  const text = (words: number): string =>
    Array.from({ length: words }, () => WORDS[roll(WORDS.length)]).join(' ');
  const headings: string[] = [];
  const chapters: string[] = [];
  const count = 3 + roll(14);
  for (let chapter = 1; chapter <= count; chapter++) {
    const title = `Chapter${chapter}x${seed} ${text(roll(3) === 0 ? 14 : 2)}`;
    headings.push(title);
    const parts: string[] = [];
    for (let section = 1; section <= roll(4); section++) {
      const name = `Section${chapter}s${section}x${seed} ${text(2)}`;
      headings.push(name);
      const to = 1 + roll(count);
      parts.push(
        `<h3 id="s${chapter}-${section}">${name}</h3><p>${text(40 + roll(300))}
         (<a class="ref" href="#c${to}">see</a>)</p><p>${text(roll(200))}</p>`,
      );
    }
    chapters.push(
      `<section><h2 id="c${chapter}">${title}</h2><p>${text(roll(500))}</p>${parts.join('')}</section>`,
    );
  }
  const entries = [...chapters.join('').matchAll(/<h[23] id="([^"]+)">([^<]*)</g)];
  const contents = entries.map(([, id, title]) => `<li><a href="#${id}">${title}</a></li>`).join('');
  const html = `<!doctype html><html lang="en"><head><title>Book ${seed}</title><style>
    @page { size: A5; margin: 2cm 1.5cm; @top-left { content: string(chapter) } @bottom-center { content: counter(page) } }
    body { font: ${10 + roll(4)}pt/1.4 serif; margin: 0 }
    nav { break-after: page } nav ul { list-style: none; padding: 0 }
    nav a { color: inherit; text-decoration: none }
    nav a::after { content: leader('.') target-counter(attr(href), page); }
    h2::before, h3::before { content: "* " } nav li { break-inside: avoid }
    h2 { string-set: chapter attr(id) " " content(); ${roll(2) === 0 ? 'break-before: page;' : ''} }
    .ref::after { content: " " target-text(attr(href)) " on page " target-counter(attr(href url), page) "!"; }
    </style></head><body><h1>Contents</h1><nav><ul>${contents}</ul></nav>${chapters.join('')}</body></html>`;
  return { html, headings };
}

/** Returns the errors in the numbers of a printed book, and how many numbers were checked. */
export function faultsOf({ headings }: Book, pdf: Uint8Array): { faults: string[]; checked: number } {
  const pages = pdfText(pdf).split('\f').slice(0, -1);
  const plain = pages.map((page) => page.replace(/\s+/g, ' '));
  const first = (title: string): string => title.split(' ')[0] ?? '';
  const lastOfContents = plain.findIndex(
    (page) => page.includes(`${first(headings[0] ?? '')} `) && !page.includes('....'),
  );
  const contents = plain.slice(0, Math.max(1, lastOfContents)).join(' ');
  const body = (key: string): number =>
    1 + plain.findIndex((page) => new RegExp(`\\* ?${key}\\b`).test(page));
  const faults: string[] = [];
  let checked = 0;
  for (const [index, title] of headings.entries()) {
    const key = first(title);
    const next = headings[index + 1];
    const from = contents.indexOf(`${key} `);
    const to = next === undefined ? contents.length : contents.indexOf(`${first(next)} `, from);
    const entry = contents.slice(from, to === -1 ? undefined : to);
    const number = Number(/\d+/.exec(entry.slice(key.length))?.[0]);
    checked += 1;
    const at = body(key);
    if (number !== at)
      faults.push(`${key}: ${number} in the contents, on page ${at} (${entry.slice(0, 80)})`);
  }
  for (const [, key, number] of plain.join(' ').matchAll(/see (Chapter\d+x\d+)[^!]{0,200} on page (\d+)!/g)) {
    checked += 1;
    const at = body(key ?? '');
    if (Number(number) !== at) faults.push(`reference to ${key}: ${number}, on page ${at}`);
  }
  return { faults, checked };
}
