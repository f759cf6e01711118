import { listed } from '@platen/core/listed';
import { lostWarning } from '../lost.ts';
import { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, remove } from '../xml/tree.ts';
import { importChunks } from './chunks.ts';
import { fieldsIn, instructionOf, isField, unwrap } from './fields.ts';
import { freeReferences, keyOf } from './lost-references.ts';
import { relatedPart } from '../ooxml/related.ts';
import { requiredPart, TEXT_PARTS } from './parts.ts';
import { tellLists } from './printable-lists.ts';
import { endFrames, removeComments, SUSPECT_TEXT } from './printable-text.ts';
import { mendTables, SUSPECT_TABLES } from './printable-tables.ts';

/**
 * Prepares Word documents for LibreOffice, which exports to PDF no link whose text has no character style, omits `IF`
 * fields with their results, prints symbols beside their results, and prints an error for references whose bookmark is missing.
 */

/** Matches parts that need a change. */
const SUSPECT =
  /hyperlink|\\#|\bIF\b|\b(?:PAGE|NOTE|STYLE)?REF\b|\bEQ\b|LISTNUM|SYMBOL|\bINDEX\b|GOTOBUTTON|BARCODE/i;
/** Fields that Word computes, and LibreOffice does not show. */
const UNSUPPORTED = ['EQ', 'LISTNUM', 'GOTOBUTTON', 'BARCODE', 'DISPLAYBARCODE', 'MERGEBARCODE'];
/** A formula with a number format: LibreOffice drops the format. */
const FORMATTED = /^\s*=[^\\]*\\#/;
/** Most formulas that a warning names. */
const MAX_NAMED = 8;
const STYLE = 'PlatenLink';

/**
 * Returns a document's parts by path, in a form that LibreOffice reads as Word does.
 *
 * @param warn called with a sentence about what is not shown as Word does
 * @param isPrinted whether it becomes a PDF
 * @throws PlatenError `office_file_damaged`
 */
export async function printableWord(
  parts: ReadonlyMap<string, Buffer>,
  warn: (text: string) => void = () => undefined,
  isPrinted = true,
): Promise<ReadonlyMap<string, Buffer>> {
  const file = OfficePackage.of(parts);
  await importChunks(file, warn);
  const texts = file.paths().filter((path) => TEXT_PARTS.test(file.typeOf(path)));
  const matching = (sign: RegExp): string[] =>
    texts.filter((path) => sign.test(file.bytes(path)?.toString('latin1') ?? ''));
  tellLists(file, texts, warn);
  for (const path of matching(SUSPECT_TABLES)) {
    const part = file.xml(path);
    mendTables(part.root, warn);
    file.setXml(path, part);
  }
  for (const path of matching(SUSPECT_TEXT)) {
    const part = file.xml(path);
    const body = part.root.first('w:body');
    if (body === undefined) removeComments(part.root);
    else endFrames(body);
    file.setXml(path, part);
  }
  const suspect = matching(SUSPECT);
  if (suspect.length === 0) return file.parts();
  const known = characterStyles(file);
  const bookmarks = bookmarksIn(texts, file);
  const styles = usedStyles(file, texts);
  const lost = new Set<string>();
  const unshown = new Set<string>();
  const unformatted = new Set<string>();
  let isStyled = false;
  let hasIndex = false;
  for (const path of suspect) {
    const part = file.xml(path);
    for (const name of freeReferences(part.root, (key) => !bookmarks.has(key))) lost.add(name);
    const fields = fieldsIn(part.root).filter(({ isEnded }) => isEnded);
    for (const field of fields) {
      const style = isField(field, 'STYLEREF') ? STYLE_NAMED.exec(instructionOf(field)) : null;
      const name = style?.[1] ?? style?.[2] ?? '';
      if (style !== null && !styles.has(name.toLowerCase())) {
        lost.add(name);
        unwrap(field);
      }
      if (isField(field, 'IF') || (isField(field, 'SYMBOL') && field.runs.length > 0)) unwrap(field);
      const unsupported = UNSUPPORTED.find((name) => isField(field, name));
      hasIndex ||= isField(field, 'INDEX');
      if (unsupported !== undefined && field.texts.length === 0) unshown.add(unsupported);
      if (FORMATTED.test(instructionOf(field))) unformatted.add(instructionOf(field).trim());
    }
    const links = isPrinted
      ? [
          ...all(part.root, 'w:hyperlink').flatMap((link) => all(link, 'w:r')),
          ...fields.filter((one) => isField(one, 'HYPERLINK')).flatMap(({ runs }) => runs),
        ]
      : [];
    for (const run of links) isStyled = setStyle(run, known) || isStyled;
    file.setXml(path, part);
  }
  if (isStyled) addStyle(file);
  if (unshown.size > 0) warn(`Fields that LibreOffice does not show: ${[...unshown].join(', ')}.`);
  if (hasIndex) warn('Alphabetical indexes are shown as they were saved: LibreOffice does not update them.');
  if (unformatted.size > 0)
    warn(`Formulas are shown without their number format: ${listed(unformatted, MAX_NAMED)}.`);
  if (lost.size > 0) warn(lostWarning(lost));
  return file.parts();
}

const STYLE_NAMED = /^\s*STYLEREF\s+(?:"([^"]*)"|([^\s"\\]+))/i;

/** Returns the names of the styles that texts have, in lower case, and the numbers that stand for those of headings. */
function usedStyles(file: OfficePackage, texts: readonly string[]): Set<string> {
  const ids = new Set(
    texts.flatMap((path) =>
      Array.from(
        (file.bytes(path)?.toString('utf8') ?? '').matchAll(
          /<w:[pr]Style\s[^<>]{0,200}?val="([^"<>]{0,200})"/g,
        ),
        ([, id = '']) => id,
      ),
    ),
  );
  const path = relatedPart(file, 'styles');
  const styles = path === undefined ? [] : all(file.xml(path).root, 'w:style');
  const names = styles
    .filter((style) => ids.has(style.get('w:styleId') ?? ''))
    .map((style) => (style.first('w:name')?.get('w:val') ?? '').toLowerCase());
  return new Set([...names, ...names.map((name) => name.replace(/^heading (?=\d$)/, ''))]);
}

function bookmarksIn(texts: readonly string[], file: OfficePackage): Set<string> {
  const names = texts.flatMap((path) =>
    Array.from(
      (file.bytes(path)?.toString('utf8') ?? '').matchAll(
        /bookmarkStart\s[^<>]{0,1000}?name="([^"<>]{0,1000})"/g,
      ),
      ([, name = '']) => keyOf(name),
    ),
  );
  return new Set(names);
}

/** Gives a run without a character style one that changes nothing. @returns whether it has that one now */
function setStyle(run: Element, known: ReadonlySet<string>): boolean {
  let properties = run.first('w:rPr');
  if (properties === undefined) {
    properties = make(run, 'w:rPr');
    run.insertBefore(run.children[0] ?? null, properties);
  }
  const style = properties.first('w:rStyle');
  if (style !== undefined && known.has(style.get('w:val') ?? '')) return false;
  if (style !== undefined) remove(style);
  properties.insertBefore(properties.children[0] ?? null, make(properties, 'w:rStyle', { 'w:val': STYLE }));
  return true;
}

/** The ids of the character styles but the default one, which LibreOffice takes for none. */
function characterStyles(file: OfficePackage): Set<string> {
  const path = relatedPart(file, 'styles');
  if (path === undefined) return new Set();
  const styles = all(file.xml(path).root, 'w:style').filter(
    (style) => style.get('w:type') === 'character' && !/^(?:1|true|on)$/.test(style.get('w:default') ?? ''),
  );
  return new Set(styles.map((style) => style.get('w:styleId') ?? ''));
}

function addStyle(file: OfficePackage): void {
  const path = requiredPart(file, 'styles');
  const styles = file.xml(path);
  const { root } = styles;
  const attributes = { 'w:type': 'character', 'w:customStyle': 1, 'w:styleId': STYLE };
  root.append(make(root, 'w:style', attributes, make(root, 'w:name', { 'w:val': STYLE })));
  file.setXml(path, styles);
}
