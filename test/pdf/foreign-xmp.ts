import { rawPdf, rawStream } from './fixtures.ts';

/** A document whose XMP is as other producers write it, and as PDF/A does not allow it (ISO 19005-2, 6.6.2.3). */

const resource = (fields: string): string => `<rdf:li rdf:parseType="Resource">${fields}</rdf:li>`;

const PACKET = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d" bytes="999"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="uuid:1" xmlns:xapMM="http://ns.adobe.com/xap/1.0/mm/" xapMM:DocumentID="uuid:2"
  xapMM:subject="x" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#">
<xapMM:History><rdf:Seq>${resource('<stEvt:action>saved</stEvt:action><stEvt:changed>/</stEvt:changed>')}</rdf:Seq></xapMM:History>
</rdf:Description>
<rdf:Description rdf:about="uuid:3" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:description><rdf:Seq><rdf:li>About</rdf:li></rdf:Seq></dc:description><dc:creator>Ada</dc:creator>
<xmp:CreateDate>D:20040102030405Z</xmp:CreateDate><xmp:Thumbnails>AA==</xmp:Thumbnails>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:own="https://own.example/" xmlns:e="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:s="http://www.aiim.org/pdfa/ns/schema#" xmlns:p="http://www.aiim.org/pdfa/ns/property#">
<e:schemas><rdf:Bag>${resource(
  `<s:namespaceURI>https://own.example/</s:namespaceURI><s:prefix>own</s:prefix><s:property><rdf:Seq>
  ${resource('<p:name>count</p:name><p:valueType>Integer</p:valueType><p:note>x</p:note>')}</rdf:Seq></s:property>`,
)}</rdf:Bag></e:schemas><own:count>7</own:count><own:other>x</own:other>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** What is not in it any more once it claims PDF/A. */
export const LOST = ['xapMM:subject', 'stEvt:changed in xapMM:History', 'xmp:Thumbnails', 'own:other'];

/** @param path where it is written */
export function pdfWithForeignXmp(path: string): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 5 0 R >>',
    rawStream('/Type /Metadata /Subtype /XML', PACKET),
    rawStream('', '0.2 g 9 9 40 40 re f'),
  ]);
}
