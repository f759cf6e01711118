import { isPlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import {
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfValue,
  pdfText,
  type Ref,
  textOf,
} from '../model/values.ts';
import { type CodeMap, readCodeMap } from './programs/cmap.ts';

/**
 * Checks how composite fonts map codes to glyphs: a CMap maps codes to numbers of a character collection, and the
 * font in it has to belong to that collection (ISO 19005-2, 6.2.11.3; ISO 14289-1, 7.21.3).
 */

/** A character collection of Adobe's registry, such as Japan1, with its supplements. */
interface Collection {
  registry: string;
  ordering: string;
  supplement: number;
}

/**
 * The CMaps that need not be embedded (ISO 32000-1, table 118), without the writing direction; by collection and
 * supplement.
 */
const PREDEFINED: Readonly<Record<string, readonly string[]>> = {
  'GB1 0': ['GB-EUC', 'GBpc-EUC'],
  'GB1 2': ['GBK-EUC', 'GBKp-EUC'],
  'GB1 4': ['UniGB-UCS2'],
  'GB1 6': ['GBK2K', 'UniGB-UTF16'],
  'CNS1 0': ['B5pc', 'ETen-B5', 'ETenms-B5', 'CNS-EUC'],
  'CNS1 3': ['UniCNS-UCS2'],
  'CNS1 6': ['HKscs-B5'],
  'CNS1 7': ['UniCNS-UTF16'],
  'Japan1 1': ['83pv-RKSJ', '90pv-RKSJ', 'Add-RKSJ', 'EUC', ''],
  'Japan1 2': ['90ms-RKSJ', '90msp-RKSJ', 'Ext-RKSJ'],
  'Japan1 4': ['UniJIS-UCS2', 'UniJIS-UCS2-HW'],
  'Japan1 7': ['UniJIS-UTF16'],
  'Korea1 0': ['KSC-EUC', 'KSCpc-EUC'],
  'Korea1 1': ['KSCms-UHC', 'KSCms-UHC-HW', 'UniKS-UCS2', 'UniKS-UTF16'],
};

const COLLECTIONS: ReadonlyMap<string, Collection> = new Map(
  Object.entries(PREDEFINED).flatMap(([collection, names]) => {
    const [ordering = '', supplement] = collection.split(' ');
    return names.flatMap((name) =>
      ['H', 'V'].map(
        (direction) =>
          [
            `/${name === '' ? direction : `${name}-${direction}`}`,
            { registry: 'Adobe', ordering, supplement: Number(supplement) },
          ] as const,
      ),
    );
  }),
);

const isIdentity = (name: PdfValue | undefined): boolean => name === '/Identity-H' || name === '/Identity-V';
const isPredefined = (name: PdfValue | undefined): boolean =>
  isIdentity(name) || (isName(name) && COLLECTIONS.has(name));

/**
 * Returns the fault in the CMap of a font by the clause of PDF/A, as the end of a sentence that begins "The font
 * …".
 */
export type CMapFault = readonly [clause: '6.2.11.3.1' | '6.2.11.3.3', detail: string];

/**
 * Checks the CMap of a composite font. If the supplement of the font is later than that of the CMap, the font is
 * declared with that of the CMap, because the CMap selects no later characters.
 */
export function repairCMap(file: PdfFile, font: PdfDict, descendant: PdfValue | undefined): CMapFault | null {
  const encoding = file.resolve(font['/Encoding']);
  if (isIdentity(encoding)) return null;
  const cmap = isName(encoding) ? namedCMap(encoding) : embeddedCMap(file, font['/Encoding'], encoding);
  if ('fault' in cmap) return ['6.2.11.3.3', cmap.fault];
  const own = collectionOf(file, file.dict(descendant)['/CIDSystemInfo']);
  if (own?.registry !== cmap.registry || own.ordering !== cmap.ordering) {
    return ['6.2.11.3.1', `does not belong to the character collection of its CMap, ${cmap.ordering}`];
  }
  if (own.supplement > cmap.supplement) setCollection(file, descendant, cmap);
  return null;
}

function namedCMap(name: PdfValue): Collection | { fault: string } {
  return (isName(name) ? COLLECTIONS.get(name) : undefined) ?? { fault: NOT_EMBEDDED };
}

const NOT_EMBEDDED = 'has a CMap that is neither embedded nor predefined';

/** Maximum size of a CMap; those of whole collections have 500 KB. */
const MAX_CMAP = 16 << 20;

function embeddedCMap(
  file: PdfFile,
  ref: PdfValue | undefined,
  dict: PdfValue,
): Collection | { fault: string } {
  const text = isRef(ref) ? textOfStream(file, ref) : undefined;
  if (text === undefined || !isDict(dict)) return { fault: NOT_EMBEDDED };
  const direction = Number(/\/WMode\s+([01])\s+def/.exec(text)?.[1] ?? 0);
  if ((file.resolve(dict['/WMode']) ?? 0) !== direction) {
    return { fault: 'has a CMap whose dictionary declares another writing direction than the CMap' };
  }
  const [, other] = /\/([^\s/<>()[\]]{1,100})\s+usecmap/.exec(text) ?? [];
  const used = file.resolve(dict['/UseCMap']) ?? null;
  if ((used !== null && !isPredefined(used)) || (other !== undefined && !isPredefined(`/${other}`))) {
    return { fault: 'has a CMap that uses one that is not predefined' };
  }
  return (
    collectionOf(file, dict['/CIDSystemInfo']) ?? {
      fault: 'has a CMap that does not declare its character collection',
    }
  );
}

/** Reads an embedded CMap; undefined if it cannot be read. */
export function codeMapOf(file: PdfFile, ref: Ref): CodeMap | undefined {
  const text = textOfStream(file, ref);
  const base = file.resolve(file.dict(ref)['/UseCMap']);
  return text === undefined ? undefined : readCodeMap(text, base === null ? null : isName(base) ? base : '');
}

/** Collections whose characters readers know (ISO 19005-2, 6.2.11.7.2). */
const KNOWN = new Set(Object.keys(PREDEFINED).map((collection) => collection.split(' ')[0]));

/** Returns whether the CIDs of a composite font identify its characters. */
export function isOfKnownCollection(file: PdfFile, descendant: PdfDict): boolean {
  const own = collectionOf(file, descendant['/CIDSystemInfo']);
  return own?.registry === 'Adobe' && KNOWN.has(own.ordering);
}

function textOfStream(file: PdfFile, ref: PdfValue): string | undefined {
  try {
    const stream = isRef(ref) ? file.streamData(ref, MAX_CMAP) : undefined;
    return stream === undefined ? undefined : Buffer.from(stream.data).toString('latin1');
  } catch (error) {
    if (isPlatenError(error) && error.code.startsWith('pdf_')) return undefined;
    throw error;
  }
}

function collectionOf(file: PdfFile, value: PdfValue | undefined): Collection | null {
  const dict = file.dict(value);
  const [registry, ordering] = [dict['/Registry'], dict['/Ordering']].map((one) => file.resolve(one));
  const supplement = file.resolve(dict['/Supplement']);
  if (!isString(registry) || !isString(ordering) || typeof supplement !== 'number') return null;
  return { registry: textOf(registry), ordering: textOf(ordering), supplement };
}

function setCollection(
  file: PdfFile,
  font: PdfValue | undefined,
  { registry, ordering, supplement }: Collection,
): void {
  if (!isRef(font)) return;
  const info = { '/Registry': pdfText(registry), '/Ordering': pdfText(ordering), '/Supplement': supplement };
  file.set(font, { ...file.dict(font), '/CIDSystemInfo': info });
}
