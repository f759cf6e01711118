import { png } from './build.ts';

/**
 * A hundred fragments of html as people write them into letters and reports, for `npm run verify -- rich`: what they are in
 * Word and OpenDocument is compared with what Chromium makes of them.
 */

const PICTURE = `data:image/png;base64,${png(40, 24).toString('base64')}`;
const img = (alt: string, more = ''): string => `<img src="${PICTURE}" alt="${alt}" ${more}>`;

const TEXT = [
  'Plain text without any element',
  '<p>One paragraph</p><p>and another</p>',
  '<p>a <strong>bold</strong>, <em>slanted</em>, <u>underlined</u>, <s>struck</s> word</p>',
  '<p>x<sub>1</sub> + y<sup>2</sup></p>',
  '<p>A line<br>and the next<br><br>and one after an empty one</p>',
  '<p>   much   \n  space   </p>',
  '<p>text <b> with </b> spaces <i>around</i> , and a comma</p>',
  '<p>Nested <b>bold <i>and slanted <u>and underlined</u></i></b> looks</p>',
  '<p>A <a href="https://example.org/">link</a> and <a href="mailto:a@example.org">a mail</a>.</p>',
  '<p><a href="javascript:alert(1)">no link</a></p>',
  '<p style="text-align: center">centred</p><p align="right">right</p><center>centre</center>',
  '<p><span style="color: red">red</span> <span style="background-color: #ff0">marked</span> <mark>mark</mark></p>',
  '<p><span style="font-size: 20pt">large</span> <small>small</small> <big>big</big></p>',
  '<p>Code: <code>if (a &lt; b) { c(); }</code> and <kbd>Ctrl</kbd></p>',
  '<pre>first\n  second\n    third</pre>',
  '<pre>a\n<b>bold</b>\nlast\n</pre>',
  '<pre><code>let a = 1;\nlet b = 2;\n</code></pre><p>behind</p>',
  '<blockquote>One quote</blockquote><p>text</p>',
  '<blockquote><p>A quote</p><blockquote><p>in a quote</p></blockquote></blockquote>',
  '<p>before</p><hr><p>behind</p>',
  '<div>a <div>b <div>c</div> d</div> e</div>',
  '<p>&lt;not a tag&gt; &amp; &quot;quotes&quot; &euro; &nbsp; &#8212; &hellip;</p>',
  '<p>emoji 😀 and ligatures ﬁ, Ελληνικά, кириллица, Tiếng Việt</p>',
  '<p>日本語の文章です。</p><p>中文段落</p><p>한국어 문단</p>',
  '<p dir="rtl">שלום עולם</p>',
  '<p dir="rtl">مرحبا بالعالم</p><p>left again</p>',
  '<div dir="rtl"><p>עברית</p><ul><li>אחת</li><li>שתיים</li></ul></div>',
  '<p>mixed עברית and English</p>',
  '<p>soft&shy;hyphen and zero<wbr>width</p>',
  '<p>He said <q>yes</q> to it</p>',
  '<p hidden>hidden</p><p>shown</p>',
  '<p style="display: none">none</p><p>shown <span style="display:none">not</span> here</p>',
  '<script>var a = "script"</script><style>p { color: red }</style><p>after a script</p>',
  '<!-- a comment --><p>after a comment</p>',
  '<p>unclosed <b>bold<p>next paragraph is bold too',
  '<p>one<p>two<p>three',
  '<b>no block</b> and <i>text</i>',
  '<p></p><p>after an empty one</p><p> </p><p>and after a blank one</p>',
  '<article><header><h2>Article</h2></header><section><p>Section</p></section><footer>Foot</footer></article>',
  '<address>Ada Lovelace<br>12 Street<br>London</address>',
  '<p>line one\nline two</p>',
  '<p style="white-space: pre">a\n  b</p>',
  '<p style="text-transform: uppercase">upper</p>',
  '<p><ins>new</ins> <del>old</del> <cite>book</cite> <samp>out</samp> <var>x</var> <abbr title="t">abbr</abbr></p>',
];

const HEADINGS = [
  '<h1>First</h1><p>text</p>',
  '<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h5>E</h5><h6>F</h6>',
  '<h2>With <em>looks</em> and <code>code</code></h2><p>text</p>',
  '<h2>Two<br>lines</h2>',
  '<h3>1. Not a list</h3><p>text</p>',
  '<h2 style="text-align:center">Centred</h2>',
  '<h2><a href="https://example.org">A link</a></h2><p>x</p>',
  '<h2>Heading</h2><ul><li>item</li></ul><h2>Other</h2><ol><li>item</li></ol>',
];

const LISTS = [
  '<ul><li>one</li><li>two</li><li>three</li></ul>',
  '<ol><li>one</li><li>two</li><li>three</li></ol>',
  '<ol><li>a</li></ol><p>between</p><ol><li>b</li><li>c</li></ol>',
  '<ol start="5"><li>five</li><li>six</li></ol>',
  '<ol start="0"><li>zero</li><li>one</li></ol>',
  '<ol><li>one</li><li value="7">seven</li><li>eight</li></ol>',
  '<ol reversed><li>three</li><li>two</li><li>one</li></ol>',
  '<ol type="a"><li>a</li><li>b</li></ol>',
  '<ol type="I"><li>I</li><li>II</li><li>III</li><li>IV</li></ol>',
  '<ol style="list-style-type: upper-alpha"><li>A</li><li>B</li></ol>',
  '<ul><li>one<ul><li>inner<ul><li>innermost</li></ul></li></ul></li><li>two</li></ul>',
  '<ol><li>one<ol><li>inner</li><li>inner</li></ol></li><li>two<ol><li>again one</li></ol></li></ol>',
  '<ol><li>number<ul><li>bullet</li></ul></li><li>number</li></ol>',
  '<ul><li>bullet<ol><li>one</li><li>two</li></ol></li><li>bullet<ol><li>one</li></ol></li></ul>',
  '<ul><li><p>first paragraph</p><p>second paragraph</p></li><li><p>next</p></li></ul>',
  '<ol><li><p>first</p><p>second</p></li><li><p>next</p></li></ol>',
  '<ol><li>a<br>b</li><li>c</li></ol>',
  '<ul><li><b>bold</b> item</li><li><a href="https://example.org">link</a></li></ul>',
  '<ul><li>a</li><ul><li>inside without an item</li></ul><li>b</li></ul>',
  '<ul><li></li><li>after an empty one</li></ul>',
  '<ol><li>before a table<table><tr><td>x</td><td>y</td></tr></table></li><li>behind</li></ol>',
  '<ul><li><h3>Heading in an item</h3>text</li></ul>',
  '<ul><li><blockquote>quote in an item</blockquote></li><li>b</li></ul>',
  '<ul><li><pre>code\n  in an item</pre></li></ul>',
  '<dl><dt>Term</dt><dd>Definition</dd><dt>Other</dt><dd>More</dd></dl>',
  `<ol>${Array.from({ length: 12 }, (_, n) => `<li>item ${n + 1}</li>`).join('')}</ol>`,
  '<ul><li>text<p>and a paragraph</p>and text</li></ul>',
  '<ol><li>outer<ol start="3"><li>three</li></ol></li><li>outer two</li></ol>',
];

const TABLES = [
  '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
  '<table><thead><tr><th>H1</th><th>H2</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody><tfoot><tr><td>s</td><td>t</td></tr></tfoot></table>',
  '<table><tr><td colspan="2">wide</td></tr><tr><td>a</td><td>b</td></tr></table>',
  '<table><tr><td rowspan="2">high</td><td>a</td></tr><tr><td>b</td></tr></table>',
  '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td rowspan="2">down</td><td colspan="2">wide</td></tr><tr><td>x</td><td>y</td></tr></table>',
  '<table><tr><td rowspan="2" colspan="2">block</td><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>',
  '<table><caption>The caption</caption><tr><td>a</td><td>b</td></tr></table>',
  '<table><tr><td>a</td></tr><tr><td>b</td><td>c</td><td>d</td></tr></table>',
  '<table><tr><td></td><td>b</td></tr><tr><td>c</td><td></td></tr></table>',
  '<table><tr><td><ul><li>item</li><li>item</li></ul></td><td><p>p1</p><p>p2</p></td></tr></table>',
  '<table><tr><td>outer<table><tr><td>in</td><td>ner</td></tr></table></td><td>b</td></tr></table>',
  '<table><tr><td>one</td></tr></table><table><tr><td>two</td></tr></table>',
  '<table><tr><td align="right">1.00</td><td style="text-align:center"><b>x</b></td></tr></table><p>behind</p>',
  '<table><tr><td bgcolor="#ccddee">blue</td><td style="background:#eee;color:#c00">red</td></tr></table>',
];

const PICTURES = [
  `<p>before ${img('Logo')} behind</p>`,
  `<figure>${img('Figure')}<figcaption>A caption</figcaption></figure>`,
  `<table><tr><td>${img('Cell')}</td><td>text</td></tr></table>`,
  `<ul><li>${img('Item', 'width="20"')} text</li></ul>`,
  `<p><a href="https://example.org">${img('Linked')}</a></p>`,
  `<h2>${img('Head')} Heading</h2>`,
];

export const FRAGMENTS: readonly string[] = [...TEXT, ...HEADINGS, ...LISTS, ...TABLES, ...PICTURES];
