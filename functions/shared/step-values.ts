import { readFile } from 'node:fs/promises';
import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { Resolution } from '@platen/imaging/picture';
import { statedResolution } from '@platen/imaging/resolution';
import type { Embedding } from '@platen/factur-x';
import type { Profile } from '@platen/factur-x/profiles';
import { encryptOptions, type SignOptions } from '@platen/contract/options';
import type { FormData } from '@platen/pdf/forms';
import { metadataValues } from '@platen/pdf/options';
import type { OwnFont, Step, Paper } from '@platen/pdf/steps';
import { inches, paperPoints, type PaperFormat } from '@platen/print';
import type { WireStep } from '@platen/contract/steps';
import { textsIn } from './texts-in.ts';

/**
 * Converts the steps of a request to those of @platen/pdf: the names of the interface and the names of parts
 * are resolved here.
 */

/** Returns the font that a step names; undefined when the tenant has no font of that name. */
export type StampFont = (name: string, field: string) => Promise<OwnFont | undefined>;

/** A part of a request that carries a file for steps. */
export interface StepFile {
  /** Name of the part. */
  readonly field: string;
  /** @param most maximum accepted bytes @throws PlatenError `file_too_large` */
  checkSize(most: number): void;
  /** Returns the content in memory. @throws PlatenError `file_too_large`, `storage_unavailable` */
  bytes(most: number): Promise<Buffer>;
  /** Returns the path of a file with the content. @throws PlatenError as `bytes` */
  path(most: number): Promise<string>;
}

/** A part that a step needs, with the field that names it. */
interface NamedPart {
  /** The field that names the part, such as `steps[2].stamp.image`. */
  field: string;
  part: string;
}

/** Returns the field name of one step. @param list name of the list; null for a single step */
function placeOf({ name }: WireStep, index: number, list: string | null): string {
  return list === null ? '' : `${list}[${index}].${name}.`;
}

/**
 * Checks what the schemas cannot express: each stamp has exactly one content, and all named parts exist.
 *
 * @param list name of the field with the steps; null when a step's members are the fields themselves
 * @param parts names of the parts that carry files for steps
 * @returns names of the parts that the steps need
 * @throws PlatenError `missing_field`, `steps_invalid`
 */
function checkSteps(
  steps: readonly WireStep[],
  list: string | null,
  parts: ReadonlySet<string>,
): Set<string> {
  const missing: FieldFault[] = [];
  const needed = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const place = placeOf(step, index, list);
    if (step.name === 'stamp' || step.name === 'watermark') checkStamped(step.members, place);
    if (step.name === 'scale' || step.name === 'impose') checkSheet(step, place);
    if (step.name === 'encrypt') encryptOptions(step.members, place);
    if (step.name === 'metadata') metadataValues(step.members, place.slice(0, -1));
    if (step.name === 'redact' && step.members.areas === undefined && step.members.words === undefined) {
      const message = `${place}areas is missing, or else words: give one of them to redact`;
      throw new PlatenError('missing_field', `${message}.`, {
        faults: [{ field: `${place}areas`, message }],
      });
    }
    if (step.name === 'fill') {
      // A field may have such a text as its value, so the part does not have to exist.
      for (const text of textsIn(step.members.data)) if (parts.has(text)) needed.add(text);
    }
    for (const { field, part } of partsOf(step, place)) {
      needed.add(part);
      if (parts.has(part)) continue;
      const message = `${field} names the part \`${part.slice(0, 100)}\`, which is not in the request`;
      missing.push({ field, message, value: part.slice(0, 100), allowed: [...parts].slice(0, 20) });
    }
  }
  if (missing.length === 0) return needed;
  throw new PlatenError('missing_field', `${missing.map(({ message }) => message).join('; ')}.`, {
    faults: missing,
  });
}

/** Signs a PDF. */
export type Sign = (pdf: Uint8Array) => Promise<Uint8Array>;

/** The sources from which steps are prepared. */
export interface StepSources {
  /** Parts of the request that carry files for steps. */
  files: readonly StepFile[];
  /** Maximum bytes of one part. */
  most: number;
  /** Checks the XML of an invoice. */
  invoiceOf: (xml: StepFile, profile?: Profile) => Promise<Embedding>;
  /** Returns the function that signs. */
  signerOf: (options: SignOptions) => Promise<Sign>;
  /** The fonts of the tenant; undefined when the deployment stores none. */
  fontOf: StampFont | undefined;
}

/** Steps that have passed every check that does not need the document. */
export interface ReadySteps {
  /** Names of the parts that the steps need. */
  needed: ReadonlySet<string>;
  /** Returns the steps to carry out, with their files on disk. */
  load: () => Promise<Step[]>;
  /** Carries out the signing steps, which come last; undefined when there are none. */
  sign: Sign | undefined;
}

/**
 * Prepares steps: finds their parts, checks invoices and opens keys.
 *
 * @param list name of the field with the steps; null when a step's members are the fields themselves
 * @throws PlatenError as `checkSteps`; `factur_x_invalid`; as `Signing.signerOf`
 */
export async function readySteps(
  wire: readonly WireStep[],
  list: string | null,
  { files, most, invoiceOf, signerOf, fontOf }: StepSources,
): Promise<ReadySteps> {
  const parts = new Map(files.map((file) => [file.field, file]));
  const needed = checkSteps(wire, list, new Set(parts.keys()));
  const htmlFiles = wire.flatMap((step) => {
    const isStamp = step.name === 'stamp' || step.name === 'watermark';
    return (isStamp ? parts.get(htmlPart(step.members.html) ?? '') : undefined) ?? [];
  });
  for (const file of htmlFiles) file.checkSize(MAX_HTML);
  const invoices = new Map<WireStep, Embedding>();
  const signers: Sign[] = [];
  for (const step of wire) {
    if (step.name === 'factur_x') {
      const xml = parts.get(step.members.xml);
      if (xml !== undefined) invoices.set(step, await invoiceOf(xml, step.members.profile));
    } else if (step.name === 'sign') signers.push(await signerOf(step.members));
  }
  return {
    needed,
    load: async () => {
      const paths = new Map<string, string>();
      for (const name of needed) {
        const file = parts.get(name);
        if (file !== undefined) paths.set(name, await file.path(most));
      }
      const texts = new Map<string, string>();
      for (const file of htmlFiles) texts.set(file.field, (await file.bytes(MAX_HTML)).toString('utf8'));
      const resolutions = new Map<string, Resolution>();
      const fonts = new Map<WireStep, OwnFont>();
      for (const [index, step] of wire.entries()) {
        if (step.name !== 'stamp' && step.name !== 'watermark') continue;
        const { image = '', text, font } = step.members;
        const path = paths.get(image);
        const resolution = path === undefined ? null : statedResolution(await readFile(path));
        if (resolution !== null) resolutions.set(image, resolution);
        if (text === undefined || font === undefined) continue;
        const own = await fontOf?.(font, `${placeOf(step, index, list)}font`);
        if (own !== undefined) fonts.set(step, own);
      }
      return wire.flatMap((step) => stepOf(step, { paths, texts, resolutions, invoices, fonts }) ?? []);
    },
    sign: combinedSigner(signers),
  };
}

/** Returns warnings for the parts that no step names. */
export function unnamed(files: readonly StepFile[], { needed }: ReadySteps): string[] {
  return files
    .filter(({ field }) => !needed.has(field))
    .map(({ field }) => `${field} ignored: no step names it`);
}

/** Combines signers into one that applies them in order; undefined when there are none. */
export function combinedSigner(signers: readonly Sign[]): Sign | undefined {
  if (signers.length === 0) return undefined;
  return async (pdf) => {
    let signed = pdf;
    for (const sign of signers) signed = await sign(signed);
    return signed;
  };
}

type StampMembers = Extract<WireStep, { name: 'stamp' }>['members'];

function checkStamped(members: StampMembers, place: string): void {
  const given = (['text', 'image', 'pdf', 'html'] as const).filter((name) => members[name] !== undefined);
  if (given.length === 1 && members.pdf_pages !== undefined && members.pdf === undefined) {
    const message = `${place}pdf_pages must be left out, because no pdf is given`;
    throw new PlatenError('steps_invalid', `${message}.`, {
      faults: [{ field: `${place}pdf_pages`, message }],
    });
  }
  if (given.length === 1) return;
  const field = `${place}${given[1] ?? 'text'}`;
  const message =
    given.length === 0
      ? `${field} is missing; give text, image, pdf or html to stamp`
      : `${field} must be left out, because ${place}${given[0]} is given: a step stamps only one of them`;
  throw new PlatenError(given.length === 0 ? 'missing_field' : 'steps_invalid', `${message}.`, {
    faults: [{ field, message }],
  });
}

function checkSheet(step: Extract<WireStep, { name: 'scale' | 'impose' }>, place: string): void {
  const { paper_format: format, paper_width: width, paper_height: height } = step.members;
  const refuse = (member: string, why: string): never => {
    const [field, code] = [
      `${place}${member}`,
      why.startsWith('is missing') ? 'missing_field' : 'steps_invalid',
    ] as const;
    throw new PlatenError(code, `${field} ${why}.`, { faults: [{ field, message: `${field} ${why}` }] });
  };
  if ((width === undefined) !== (height === undefined)) {
    refuse(
      width === undefined ? 'paper_width' : 'paper_height',
      'is missing: a sheet requires a width and a height',
    );
  }
  if (format !== undefined && width !== undefined) {
    refuse('paper_width', 'must be left out, because paper_format sets the paper');
  }
  if (step.name === 'scale') {
    if (format === undefined && width === undefined)
      refuse('paper_format', 'is missing; give it, or paper_width and paper_height');
    return;
  }
  const { booklet = false, columns = 2, rows = 1 } = step.members;
  if (booklet && (columns !== 2 || rows !== 1)) {
    refuse(columns === 2 ? 'rows' : 'columns', 'must be left out: a booklet has two pages per side');
  }
}

/** Returns the sheet that a step names; undefined when it names none. */
function paperOf({
  paper_format: format,
  paper_width: width,
  paper_height: height,
}: {
  paper_format?: PaperFormat | undefined;
  paper_width?: number | undefined;
  paper_height?: number | undefined;
}): Paper | undefined {
  if (format !== undefined) return { ...paperPoints(format, false), follows: true };
  if (width === undefined || height === undefined) return undefined;
  return { width: inches(width) * 72, height: inches(height) * 72, follows: false };
}

function partsOf(step: WireStep, place: string): NamedPart[] {
  const named = (member: string, part: string | undefined): NamedPart[] =>
    part === undefined ? [] : [{ field: `${place}${member}`, part }];
  switch (step.name) {
    case 'stamp':
    case 'watermark':
      return [
        ...named('image', step.members.image),
        ...named('pdf', step.members.pdf),
        ...named('html', htmlPart(step.members.html)),
      ];
    case 'letterhead':
      return [...named('pdf', step.members.pdf), ...named('first', step.members.first)];
    case 'attach':
      return step.members.files.flatMap(({ file }, index) => named(`files[${index}].file`, file));
    case 'factur_x':
      return named('xml', step.members.xml);
    case 'sign':
      return named('appearance.image', step.members.appearance?.image);
    default:
      return [];
  }
}

/** Returns the name of the part with the HTML, when the value is not HTML itself: HTML contains a tag. */
function htmlPart(html: string | undefined): string | undefined {
  return html?.includes('<') === true ? undefined : html;
}

/** Maximum bytes of HTML for a stamp, as for a header. */
const MAX_HTML = 2 ** 20;

/** Content of the request's parts, loaded for the steps. */
interface Loaded {
  /** Paths of files, by part name. */
  paths: ReadonlyMap<string, string>;
  /** HTML, by part name. */
  texts: ReadonlyMap<string, string>;
  /** What images state, by part name. */
  resolutions: ReadonlyMap<string, Resolution>;
  invoices: ReadonlyMap<WireStep, Embedding>;
  fonts: ReadonlyMap<WireStep, OwnFont>;
}

/** Returns the step of @platen/pdf; undefined for a signing step, which needs a key and is done elsewhere. */
function stepOf(step: WireStep, { paths, texts, resolutions, invoices, fonts }: Loaded): Step | undefined {
  const pathOf = (part: string): string => paths.get(part) ?? '';
  const optional = (part: string | undefined): string | undefined =>
    part === undefined ? undefined : pathOf(part);
  switch (step.name) {
    case 'encrypt': {
      return { name: step.name, options: encryptOptions(step.members) };
    }
    case 'metadata':
      return { name: step.name, options: metadataValues(step.members) };
    case 'stamp':
    case 'watermark': {
      const { image, pdf, pdf_pages: pdfPages, html, ...members } = step.members;
      const own = { image: optional(image), pdf: optional(pdf), html: texts.get(html ?? '') ?? html };
      const resolution = resolutions.get(image ?? '');
      return {
        name: step.name,
        options: { ...members, ...own, resolution, pdfPages, ownFont: fonts.get(step) },
      };
    }
    case 'letterhead': {
      const { pdf, first } = step.members;
      return { name: step.name, options: { pdf: pathOf(pdf), first: optional(first) } };
    }
    case 'scale': {
      const { fit } = step.members;
      const paper = paperOf(step.members);
      if (paper === undefined) throw new Error('a sheet has not been looked at');
      return { name: step.name, options: { paper, fit } };
    }
    case 'impose': {
      const { paper_format: _format, paper_width: _width, paper_height: _height, ...members } = step.members;
      return { name: step.name, options: { ...members, paper: paperOf(step.members) } };
    }
    case 'attach': {
      const files = step.members.files.map(({ file, ...rest }) => ({ ...rest, file: pathOf(file) }));
      return { name: step.name, options: { files } };
    }
    case 'fill':
      return {
        name: step.name,
        options: { data: step.members.data as FormData, images: Object.fromEntries(paths) },
      };
    case 'conform': {
      const { conformance: levels, on_violation: onViolation, language, title } = step.members;
      return { name: step.name, options: { levels, onViolation, language, title } };
    }
    case 'factur_x': {
      const invoice = invoices.get(step);
      if (invoice === undefined) throw new Error('an invoice has not been read');
      const { conformance, on_violation: onViolation } = step.members;
      return { name: step.name, options: { invoice, conformance, onViolation } };
    }
    case 'sign':
      return undefined;
    default:
      // The members of the other steps have the same names in @platen/pdf.
      return { name: step.name, options: step.members } as Step;
  }
}
