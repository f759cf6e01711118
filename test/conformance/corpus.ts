import { crc32, deflateSync } from 'node:zlib';

/** Documents of many kinds that have to meet PDF/A-3a and PDF/UA-1, and some that only their authors can repair. */

const PIXEL = `data:image/png;base64,${picture(200).toString('base64')}`;
const words = (count: number): string => 'lorem ipsum dolor sit amet '.repeat(count);
const rows = (count: number, columns = 3): string =>
  Array.from(
    { length: count },
    (_, row) => `<tr>${Array.from({ length: columns }, (_, at) => `<td>${row}.${at}</td>`).join('')}</tr>`,
  ).join('');

/** Kinds of html whose tags a claim completes. */
export const COMPLETED: readonly string[] = ['generated', 'quotes', 'math', 'meters', 'sample'];

/** Bodies below one `h1`. */
export const KINDS: Readonly<Record<string, string>> = {
  paragraphs: `<p>${words(40)}</p><p>${words(200)}</p>`,
  pages: `<p>${words(3000)}</p>`,
  headings: '<h2>a</h2><h3>b</h3><h4>c</h4><h5>d</h5><h6>e</h6><h2>f</h2>',
  list: '<ul><li>a<li>b<ul><li>c<ol><li>d</ol></ul><li><p>e</p><p>f</p></ul>',
  markers:
    '<ul style="list-style:none"><li>a<li>b</ul><ol start=7 type=i><li>c</ol><ul style="list-style:inside square"><li>d</ul>',
  markerImage: `<ul style="list-style-image:url(${PIXEL})"><li>a<li>b</ul>`,
  flexList: '<ul style="display:flex;gap:1em;list-style:none"><li>a<li>b</ul>',
  definitions: '<dl><dt>a<dd>b<dt>c<dd>d</dl>',
  table: `<table border=1><caption>Cap</caption><thead><tr><th>a<th>b<th>c</thead><tbody>${rows(90)}</tbody></table>`,
  spans: '<table border=1><tr><th rowspan=2>A<th colspan=2>B<tr><th>c<th>d<tr><td>1<td>2<td>3</table>',
  rowHeaders: '<table><tr><td></td><th>a<th>b<tr><th scope=row>x<td>1<td>2</table>',
  bareTable: `<table>${rows(5)}</table>`,
  nestedTable: `<table><tr><td>a<td><table>${rows(2)}</table></table>`,
  divTable:
    '<div style="display:table"><div style="display:table-row"><div style="display:table-cell">a</div><div style="display:table-cell">b</div></div></div>',
  footTable: `<table><thead><tr><th>a<th>b<th>c</thead><tfoot><tr><td>x<td>y<td>z</tfoot><tbody>${rows(70)}</tbody></table>`,
  links:
    '<p><a href="#t">inner</a> <a href="https://example.org/">outer</a> <a href="mailto:a@example.org">mail</a></p><h2 id=t>t</h2>',
  longLink: `<p style="width:5cm"><a href="https://example.org/?a=1&b=(2)">${words(4)}</a></p>`,
  imageLink: `<a href="https://example.org/"><img alt="there" src="${PIXEL}" width=50 height=50></a>`,
  blockLink: '<a href="https://example.org/"><div style="padding:1em">block</div></a>',
  picture: `<img alt="a dot" src="${PIXEL}" width=50 height=50><img alt="" src="${PIXEL}" width=20 height=20>`,
  figure: `<figure><img alt="a dot" src="${PIXEL}" width=50 height=50><figcaption>cap</figcaption></figure>`,
  background: `<div style="background:url(${PIXEL});width:5cm;height:2cm">on it</div>`,
  svg: '<svg role=img aria-label=chart width=200 height=100><rect width=200 height=50 fill=red opacity=.5 /><text x=10 y=80>label</text></svg>',
  svgHidden: '<svg aria-hidden=true width=200 height=100><circle cx=50 cy=50 r=40 /></svg><p>after</p>',
  svgImage: `<img alt=star width=99 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0L9 9H0z'/></svg>">`,
  canvas:
    '<canvas id=c width=99 height=50 role=img aria-label=blue></canvas><script>c.getContext("2d").fillRect(0,0,50,30)</script>',
  gradient:
    '<div style="background:linear-gradient(red,#00f8);height:80px">x</div><div style="background:conic-gradient(red,blue);height:80px">y</div>',
  opacity:
    '<div style="opacity:.5;background:#0a0;padding:9px">half</div><p style="mix-blend-mode:multiply;background:#ff0">blend</p>',
  shadow:
    '<div style="border-radius:9px;box-shadow:0 8px 16px #0004;padding:9px;transform:rotate(2deg)"><p>rotated</p></div>',
  clip: '<div style="clip-path:circle(40%)">clipped</div>',
  stroke:
    '<p style="-webkit-text-stroke:1px red;font-size:40px">stroke</p><p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent;font-size:40px">clip</p>',
  decoration:
    '<p><u>u</u> <s>s</s> <mark>m</mark> <span style="text-decoration:wavy underline">w</span> <abbr title=x>a</abbr></p><hr>',
  form: '<form><label>Name <input value=Jo></label><input type=checkbox checked aria-label=c><select><option>a</select><textarea>t</textarea><button>Go</button></form>',
  meters:
    '<progress value=40 max=100></progress><meter value=.5></meter><details open><summary>s</summary>d</details>',
  columns: `<div style="columns:2">${words(200)}</div>`,
  grid: '<div style="display:grid;grid-template-columns:1fr 1fr"><section><h2>A</h2><p>t</p></section><section><h2>B</h2></section></div>',
  floats: `<div style="float:right;width:3cm">side</div><p>${words(50)}</p>`,
  absolute:
    '<p style="position:absolute;left:9cm;top:9cm">placed</p><p style="position:absolute;left:-9999px">off</p><p aria-hidden=true>decoration</p>',
  fixed: '<div style="position:fixed;top:0">every page</div><p style="break-after:page">a</p><p>b</p>',
  generated: '<style>p::before{content:"→ "}p::after{content:counter(page)}</style><p>a</p>',
  quotes:
    '<blockquote><p>q</p></blockquote><p><q>short</q> <cite>c</cite></p><pre>code\n  more</pre><code>x</code>',
  landmarks:
    '<header>h</header><nav><a href="#m">m</a></nav><main id=m><article><p>a</p></article><aside>s</aside></main><footer>f</footer>',
  emoji: '<p>😀 🎉 👩‍👩‍👧 🇩🇪 ❤️</p>',
  cjk: '<p lang=ja>漢字かな交じり文</p><p lang=ko>한국어</p><p lang=zh-Hans>汉字</p>',
  rtl: '<p dir=rtl lang=ar>العربية ١٢٣</p><p dir=rtl lang=he>שלום עולם</p>',
  scripts: '<p>हिन्दी ไทย Ελληνικά Русский Tiếng Việt ქართული</p>',
  ligatures:
    '<p>office ﬁ ffl Æ œ</p><p style="font-variant:small-caps">Small Caps</p><p>soft&shy;hyphen zero&#8203;width &nbsp;&ensp;x</p>',
  math: '<math alttext="a divided by the root of b"><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac></math><p>H<sub>2</sub>O x<sup>2</sup></p>',
  ruby: '<p lang=ja><ruby>漢<rt>かん</rt></ruby></p>',
  vertical: '<p style="writing-mode:vertical-rl;height:5cm">vertical text</p>',
  empty: '',
};

/** How a body is wrapped: each kind is there in each of them. */
export const FRAMES: Readonly<Record<string, (body: string) => { html: string; options: object }>> = {
  plain: (body) => ({ html: framed(body, ''), options: { display_header_footer: false } }),
  furniture: (body) => ({ html: framed(body, 'body{font-family:serif}'), options: {} }),
  landscape: (body) => ({
    html: framed(body, 'body{background:#eef;padding:1cm}'),
    options: { landscape: true, scale: 0.8, footer_file: '<b>Page <span class="pageNumber"></span></b>' },
  }),
  margins: (body) => ({
    html: framed(
      `<div style="transform:scale(.9)">${body}</div>`,
      '@page{margin:3cm;@bottom-center{content:counter(page)}}',
    ),
    options: { disable_header_footer_first_page: true },
  }),
};

export function framed(body: string, css: string): string {
  return `<!doctype html><html lang=en><title>A title</title><style>${css}</style><body><h1>Heading</h1>${body}`;
}

interface Fault {
  html: string;
  rule: string;
  element?: string;
}

const fault = (rule: string, body: string, element?: string): Fault => ({
  html: framed(body, ''),
  rule,
  ...(element === undefined ? {} : { element }),
});
const IMAGE = `<img src="${PIXEL}" width=50 height=50>`;

/** What an author may do wrong, with the rule that it has to be reported by. */
export const FAULTS: readonly Fault[] = [
  fault('ISO 14289-1, 7.3', IMAGE, 'Figure 1'),
  fault('ISO 14289-1, 7.3', `<img alt=x src="${PIXEL}" width=9 height=9>${IMAGE}`, 'Figure 2'),
  fault('ISO 14289-1, 7.3', `<figure>${IMAGE}<figcaption>c</figcaption></figure>`),
  fault('ISO 14289-1, 7.3', `<table><tr><td>${IMAGE}</table>`, 'Figure 1'),
  fault('ISO 14289-1, 7.3', `<ul><li>${IMAGE}</ul>`, 'Figure 1'),
  fault('ISO 14289-1, 7.3', `<p style="break-before:page">${IMAGE}`, 'Figure 1'),
  fault('ISO 14289-1, 7.3', `<a href="https://example.org/">${IMAGE}</a>`, 'Figure 1'),
  fault(
    'ISO 14289-1, 7.3',
    '<canvas id=c></canvas><script>c.getContext("2d").fillRect(0,0,9,9)</script>',
    'canvas#c',
  ),
  ...[3, 4, 5, 6].map((level) => fault('ISO 14289-1, 7.4.2', `<h${level}>x</h${level}>`, `H${level} 1`)),
  fault('ISO 14289-1, 7.4.2', '<h2>a</h2><h4>b</h4>', 'H4 1'),
  fault('ISO 14289-1, 7.4.2', '<h2>a</h2><h3>b</h3><h2>c</h2><h5>d</h5>', 'H5 1'),
  fault('ISO 14289-1, 7.4.2', '<h2>a</h2><section><h4>b</h4></section>', 'H4 1'),
  fault('ISO 14289-1, 7.4.2', '<div role=heading aria-level=3>x</div>', 'H3 1'),
  ...[2, 3, 4].map((level) => ({
    html: `<html lang=en><title>t</title><h${level}>x</h${level}>`,
    rule: 'ISO 14289-1, 7.4.2',
    element: `H${level} 1`,
  })),
  { html: '<title>t</title><h1>no language</h1>', rule: 'ISO 14289-1, 7.2' },
  { html: '<html lang=""><title>t</title><h1>no language</h1>', rule: 'ISO 14289-1, 7.2' },
  { html: '<html lang="not_a_language!"><title>t</title><h1>x</h1>', rule: 'ISO 19005-3, 6.7.4' },
  fault('ISO 19005-3, 6.7.4', '<p lang="not!one">x</p>'),
  fault('ISO 19005-3, 6.2.11.8', '<p>&#xe000;</p>'),
  fault('ISO 19005-3, 6.2.11.8', '<p>&#xf8f0; private</p>'),
  fault('ISO 19005-3, 6.2.11.8', '<p>&#x10fffd;</p>'),
  fault('ISO 19005-3, 6.2.11.8', '<ul><li>&#xe123;</ul>'),
  fault(
    'ISO 14289-1, 7.20',
    '<div style="mask-image:linear-gradient(black,transparent);-webkit-mask-image:linear-gradient(black,transparent)">masked</div><div style="clip-path:circle(40%)">clipped</div>',
  ),
  fault('ISO 14289-1, 7.3', `<div role=img style="width:2cm;height:2cm;background:red">x</div>`, 'Figure 1'),
  fault(
    'ISO 14289-1, 7.3',
    '<svg role=img width=50 height=50><rect width=50 height=50 /></svg>',
    'body > svg',
  ),
];

/** A picture of so many pixels each way: larger than it is shown, since PDF/A lets no reader smooth pixels. */
function picture(size: number): Buffer {
  const rows = Array.from({ length: size }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: size }, (__, x) => [x, y, 128]).flat()]),
  );
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
