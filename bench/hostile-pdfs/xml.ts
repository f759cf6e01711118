import { withCatalog, stream, times, blanks, filters, TREE, PAGE, pdf } from './build.ts';

/** XML within PDFs: XMP packets, XFA forms, and invoices. */

const RDF =
  'xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""';

function xmp(packet: string): Buffer {
  return withCatalog('/Metadata 4 0 R', stream('/Type /Metadata /Subtype /XML', packet));
}

/** Returns a packet with a declaration before, and a text in its description. */
function described(declaration: string, text: string): Buffer {
  return xmp(
    `${declaration}<x:xmpmeta ${RDF} xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${text}</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`,
  );
}

/** Entities, each ten times the one before (the "billion laughs"). */
const LAUGHS = `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${times(12, (n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}]>`;
/** Entities of files and addresses. */
const OUTSIDE =
  '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>';

function xfa(text: string): Buffer {
  return withCatalog('/AcroForm << /Fields [] /XFA [(template) 4 0 R (datasets) 4 0 R] >>', stream('', text));
}

/** Returns a document with that invoice. */
function invoice(text: string): Buffer {
  return withCatalog(
    '/Names << /EmbeddedFiles << /Names [(factur-x.xml) 4 0 R] >> >> /AF [4 0 R]',
    '<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /AFRelationship /Alternative /EF << /F 5 0 R >> >>',
    stream('/Type /EmbeddedFile /Subtype /text#2Fxml', text),
  );
}

export const XML: Readonly<Record<string, () => Buffer>> = {
  'XMP of entities that grow': () => {
    const entities = times(12, (n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const xmp = `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${entities}]><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">&e12;</rdf:Description></rdf:RDF></x:xmpmeta>`;
    return pdf([
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      stream('/Type /Metadata /Subtype /XML', xmp),
    ]);
  },
  'XMP 100,000 levels deep': () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</rdf:Description></rdf:RDF></x:xmpmeta>`;
    return pdf([
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      stream('/Type /Metadata /Subtype /XML', xmp),
    ]);
  },
  'XMP deflated, 1 GB': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      stream(`/Type /Metadata /Subtype /XML ${filters(1)}`, blanks(1e9, 1)),
    ]),
  'XMP of the billion laughs in its title': () => described(LAUGHS, '&e12;'),
  'XMP of entities outside': () => described(OUTSIDE, '&f;'),
  'XMP of a million attributes': () =>
    xmp(`<x:xmpmeta ${RDF} ${times(300_000, (n) => `a${n}="b"`).join(' ')}/></rdf:RDF></x:xmpmeta>`),
  'XMP of one attribute of 10 MB': () => described('', 'a'.repeat(10_000_000)),
  'XMP without an end': () =>
    xmp(`<x:xmpmeta ${RDF}>${'<!--'.repeat(100_000)}${'<![CDATA['.repeat(100_000)}${'<?a '.repeat(100_000)}`),
  'XMP of angle brackets': () => xmp('<'.repeat(1_000_000)),
  'XMP of ampersands': () => described('', '&'.repeat(1_000_000)),
  'XMP in UTF-32 without a declaration': () =>
    xmp(Buffer.from(`<x:xmpmeta ${RDF}`, 'utf16le').toString('latin1')),
  'XMP that is the catalog': () =>
    pdf(['<< /Type /Catalog /Pages 2 0 R /Metadata 1 0 R >>', TREE, `<< ${PAGE} >>`]),
  'XFA of the billion laughs': () =>
    xfa(`${LAUGHS}<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template>&e12;</template></xdp:xdp>`),
  'XFA of entities outside': () =>
    xfa(`${OUTSIDE}<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template>&f;</template></xdp:xdp>`),
  'XFA 100,000 levels deep': () => xfa('<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
  'XFA that is the form': () => withCatalog('/AcroForm 4 0 R', '<< /Fields 4 0 R /XFA 4 0 R >>'),
  'invoice of the billion laughs': () =>
    invoice(`${LAUGHS}<CrossIndustryInvoice>&e12;</CrossIndustryInvoice>`),
  'invoice of entities outside': () => invoice(`${OUTSIDE}<CrossIndustryInvoice>&f;</CrossIndustryInvoice>`),
  'invoice 100,000 levels deep': () => invoice('<a>'.repeat(100_000)),
};
