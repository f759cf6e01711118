/**
 * Namespaces of office files and the prefix that this code uses for each. A file may bind other prefixes (the
 * Open XML SDK writes `x:row`, Excel writes `row`).
 */
const OOXML = 'http://schemas.openxmlformats.org/';
const ODF = 'urn:oasis:names:tc:opendocument:xmlns:';

const PREFIXES: readonly (readonly [prefix: string, address: string])[] = [
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['m', `${OOXML}officeDocument/2006/math`],
  ['w', `${OOXML}wordprocessingml/2006/main`],
  ['a', `${OOXML}drawingml/2006/main`],
  ['r', `${OOXML}officeDocument/2006/relationships`],
  ['p', `${OOXML}presentationml/2006/main`],
  ['x', `${OOXML}spreadsheetml/2006/main`],
  ['c', `${OOXML}drawingml/2006/chart`],
  ['cx', 'http://schemas.microsoft.com/office/drawing/2014/chartex'],
  ['dgm', `${OOXML}drawingml/2006/diagram`],
  ['pic', `${OOXML}drawingml/2006/picture`],
  ['wp', `${OOXML}drawingml/2006/wordprocessingDrawing`],
  ['xdr', `${OOXML}drawingml/2006/spreadsheetDrawing`],
  ['rel', `${OOXML}package/2006/relationships`],
  ['ct', `${OOXML}package/2006/content-types`],
  ['cp', `${OOXML}package/2006/metadata/core-properties`],
  ['ep', `${OOXML}officeDocument/2006/extended-properties`],
  ['op', `${OOXML}officeDocument/2006/custom-properties`],
  ['vt', `${OOXML}officeDocument/2006/docPropsVTypes`],
  ['mc', `${OOXML}markup-compatibility/2006`],
  ['v', 'urn:schemas-microsoft-com:vml'],
  ['o', 'urn:schemas-microsoft-com:office:office'],
  ['xvml', 'urn:schemas-microsoft-com:office:excel'],
  ['w14', 'http://schemas.microsoft.com/office/word/2010/wordml'],
  ['w15', 'http://schemas.microsoft.com/office/word/2012/wordml'],
  ['w16cid', 'http://schemas.microsoft.com/office/word/2016/wordml/cid'],
  ['w16cex', 'http://schemas.microsoft.com/office/word/2018/wordml/cex'],
  ['wps', 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape'],
  ['a16', 'http://schemas.microsoft.com/office/drawing/2014/main'],
  ['asvg', 'http://schemas.microsoft.com/office/drawing/2016/SVG/main'],
  ['p14', 'http://schemas.microsoft.com/office/powerpoint/2010/main'],
  ['x14', 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'],
  ['xm', 'http://schemas.microsoft.com/office/excel/2006/main'],
  ['xr', 'http://schemas.microsoft.com/office/spreadsheetml/2014/revision'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['xlink', 'http://www.w3.org/1999/xlink'],
  ['office', `${ODF}office:1.0`],
  ['text', `${ODF}text:1.0`],
  ['table', `${ODF}table:1.0`],
  ['draw', `${ODF}drawing:1.0`],
  ['style', `${ODF}style:1.0`],
  ['fo', `${ODF}xsl-fo-compatible:1.0`],
  ['svg', `${ODF}svg-compatible:1.0`],
  ['presentation', `${ODF}presentation:1.0`],
  ['number', `${ODF}datastyle:1.0`],
  ['meta', `${ODF}meta:1.0`],
  ['chart', `${ODF}chart:1.0`],
  ['form', `${ODF}form:1.0`],
  ['config', `${ODF}config:1.0`],
  ['manifest', `${ODF}manifest:1.0`],
  ['calcext', 'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0'],
  ['loext', 'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0'],
];

const BY_ADDRESS: ReadonlyMap<string, string> = new Map(
  PREFIXES.map(([prefix, address]) => [address, prefix]),
);
const ADDRESSES: ReadonlyMap<string, string> = new Map(PREFIXES);

/** Returns this code's prefix for a namespace; undefined for a namespace that it does not use. */
export function knownPrefix(address: string): string | undefined {
  return BY_ADDRESS.get(address);
}

/** Returns the namespace URI of a prefix. */
export function addressOf(prefix: string): string {
  const address = ADDRESSES.get(prefix);
  if (address === undefined) throw new Error(`no namespace is known as ${prefix}`);
  return address;
}
