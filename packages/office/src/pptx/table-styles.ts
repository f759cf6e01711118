import { relatedPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { all, remove } from '../xml/tree.ts';

/** The styles of tables in presentations, which a table names by an id. */

/** The first eight digits of the ids that PowerPoint has by itself: files need not contain these styles. */
const BUILT_IN: ReadonlySet<string> = new Set(
  `
00A15C55 0505E3EF 0660B408 073A0DAA 08FB837D 0E3FDE45 10A1B5D5 125E5076 16D9F66E 17292A2E 18603FDC
1E171933 1FECB4D8 21E4AEA4 22838BEF 284E427A 2A488322 2D5ABB26 306799F8 327F97BB 35758FB7 37CE84F3
3B4B98B0 3C2FFA5D 46F890A9 5202B0CA 5940675A 5A111915 5C22544A 5DA37D80 5FD0F851 616DA210 638B1855
68D230F3 69012ECD 69C7853C 69CF1AB2 6E25E649 72833802 74C1A8A3 775DCB02 793D81CF 7DF18680 7E9639D4
85BE263C 8799B23B 8A107856 8EC20E35 8FD4443E 912C8C85 91EBBBCC 93296810 9D7B26C5 9DCAF9ED AF606853
B301B821 BC89EF96 BDBED569 C083E6E3 C4B1156A D03447BB D113A9D2 D27102A9 D7AC3CCA E269D01E E8034E78
E8B1032C E929F9F4 EB344D84 EB9631B5 ED083AE6 F2DE63D5 F5AB1C69 FABFCF23
`
    .trim()
    .split(/\s+/),
);

/** Removes the names of styles that neither the file nor PowerPoint has: they end LibreOffice 25.2. */
export function dropUnknownStyles(file: OfficePackage): void {
  const tables = file.paths().filter((path) => file.bytes(path)?.includes('tableStyleId') === true);
  if (tables.length === 0) return;
  const styles = relatedPart(file, 'tableStyles');
  const own = styles === undefined ? [] : all(file.xml(styles).root, 'a:tblStyle');
  const known = new Set(own.map((style) => style.get('styleId') ?? ''));
  for (const path of tables) {
    const part = file.xml(path);
    const unknown = all(part.root, 'a:tableStyleId').filter((name) => {
      const id = name.textContent().trim();
      return !known.has(id) && !BUILT_IN.has(id.slice(1, 9).toUpperCase());
    });
    if (unknown.length === 0) continue;
    for (const name of unknown) remove(name);
    file.setXml(path, part);
  }
}
