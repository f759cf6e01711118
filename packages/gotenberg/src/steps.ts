import type { FileInput, FieldsOf } from '@platen/client';
import type { Form } from './form.ts';
import { writtenMetadata } from './metadata.ts';
import { nativeWatermark } from './native-watermark.ts';
import { RequestError } from './request-error.ts';

/** The steps for finished PDFs, from the fields that all of Gotenberg's routes share. */

export type Step = NonNullable<FieldsOf<'processPdf'>['steps']>[number];

/** Steps and the files that they reference. */
export interface Steps {
  steps: Step[];
  parts: Record<string, FileInput>;
}

/** Fields whose files these steps use. */
export const STEP_FILES = ['watermark', 'stamp', 'embeds'] as const;

/**
 * Returns the steps that a form requests, in the order of their execution, except those for splitting,
 * bookmarks, conformance and encryption.
 *
 * @throws RequestError
 */
export function stepsOf(form: Form): Steps {
  const parts: Record<string, FileInput> = {};
  const steps = [
    ...nativeWatermark(form),
    ...rotation(form),
    ...overlays(form, 'watermark', parts),
    ...overlays(form, 'stamp', parts),
    ...embeds(form, parts),
    ...writtenMetadata(form),
    ...(form.flag('optimizeImages') === true ? [optimization(form)] : []),
    ...(form.flag('flatten') === true ? [{ flatten: {} }] : []),
  ];
  return { steps, parts };
}

export function rotation(form: Form): Step[] {
  const angle = form.number('rotateAngle');
  const pages = form.text('rotatePages');
  if (angle === undefined) return [];
  if (angle !== 90 && angle !== 180 && angle !== 270)
    throw new RequestError(400, 'rotateAngle must be 90, 180 or 270');
  return [{ rotate: { angle, ...(pages === undefined ? {} : { pages: pagesOf(pages) }) } }];
}

/** Recompresses images at the quality nearest to Gotenberg's scale. @throws RequestError */
export function optimization(form: Form): Step {
  const quality = form.number('imageQuality') ?? 80;
  if (!Number.isInteger(quality) || quality < 1 || quality > 100)
    throw new RequestError(400, `Invalid form data: form field 'imageQuality' is invalid (got '${quality}')`);
  return { compress: { quality: quality >= 90 ? 'high' : quality >= 60 ? 'medium' : 'low' } };
}

/**
 * Returns page ranges as the interface takes them. Gotenberg allows spaces, and its engines have words for the last
 * page: `2-z` (QPDF), `2-end` (PDFtk), `2-l` (pdfcpu).
 */
export function pagesOf(text: string): string {
  return text.replace(/\s/g, '').replace(/-(?:z|end|l)(?=,|$)/gi, '-');
}

/**
 * Returns the steps that put texts, images and PDFs over or under the pages. The repeated fields are parallel
 * lists, and files are assigned in their order.
 */
function overlays(form: Form, kind: 'watermark' | 'stamp', parts: Record<string, FileInput>): Step[] {
  const [expressions, pages, options] = ['Expression', 'Pages', 'Options'].map((name) =>
    form.all(`${kind}${name}`),
  );
  const files = [...form.special(kind)];
  return form
    .all(`${kind}Source`)
    .map((source) => source.trim())
    .filter((source) => source !== '')
    .map((source, index) => {
      const expression = expressions?.[index]?.trim() ?? '';
      const ranges = pages?.[index]?.trim() ?? '';
      const members: Record<string, unknown> = ranges === '' ? {} : { pages: pagesOf(ranges) };
      if (source === 'text') {
        if (expression === '') throw new RequestError(400, `${kind}Expression is required`);
        members['text'] = expression;
      } else if (source === 'image' || source === 'pdf') {
        const named = files.shift() ?? form.files.find(({ name }) => name === expression);
        if (named === undefined) throw new RequestError(400, `the file of ${kind} is required`);
        parts[`${kind}${index}`] = { content: named.content, name: named.name };
        members[source] = `${kind}${index}`;
      } else throw new RequestError(400, `${kind}Source must be text, image or pdf`);
      return { [kind]: { ...members, ...overlayOptions(form, `${kind}Options`, options?.[index]) } };
    });
}

/**
 * Returns the options of pdfcpu that steps also support, and adds a warning for any other.
 *
 * @throws RequestError
 */
function overlayOptions(form: Form, field: string, text = ''): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  const options = (form.json(field, text) ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(options)) {
    const option = overlayOption(name, value);
    if (option === undefined) form.warn(`${field}.${name} is ignored`);
    else Object.assign(members, option);
  }
  return members;
}

const POSITIONS: Readonly<Record<string, string>> = {
  tl: 'top-left',
  tc: 'top-center',
  tr: 'top-right',
  l: 'center-left',
  c: 'center',
  r: 'center-right',
  bl: 'bottom-left',
  bc: 'bottom-center',
  br: 'bottom-right',
};

/** Returns the option as a member of a step; undefined if steps have no such option. */
function overlayOption(name: string, value: unknown): Record<string, unknown> | undefined {
  const number = Number(value);
  switch (name.toLowerCase()) {
    case 'opacity':
      return { opacity: number };
    case 'points':
    case 'fontsize':
      return { size: number };
    case 'rotation':
    case 'rot':
      return { angle: number };
    case 'fillcolor':
    case 'color':
      return typeof value === 'string' && /^#[\da-f]{6}$/i.test(value) ? { color: value } : undefined;
    case 'position':
    case 'pos': {
      const position = POSITIONS[String(value)];
      return position === undefined ? undefined : { position };
    }
    default:
      return undefined;
  }
}

function embeds(form: Form, parts: Record<string, FileInput>): Step[] {
  const metadata = (form.json('embedsMetadata') ?? {}) as Record<
    string,
    { mimeType?: string; relationship?: string }
  >;
  const files = form.special('embeds').map(({ name, content }, index) => {
    const part = `embed${index}`;
    parts[part] = { content, name };
    const { mimeType: mime, relationship } = metadata[name] ?? {};
    return {
      file: part,
      name,
      ...(mime === undefined ? {} : { mime }),
      ...(relationship === undefined ? {} : { relationship }),
    };
  });
  return files.length === 0 ? [] : [{ attach: { files } } as Step];
}

export type Conformance = NonNullable<FieldsOf<'conformPdf'>['conformance']>[number];

/**
 * Returns the conformance levels that a form requests.
 *
 * @throws RequestError for PDF/A-1, which Platen does not support
 */
export function conformanceOf(form: Form): Conformance[] {
  const level = (form.text('pdfa') ?? form.text('pdfFormat'))?.toLowerCase();
  const ua = form.flag('pdfua') === true ? (['pdf/ua-1'] as const) : [];
  if (level === undefined) return [...ua];
  if (!/^pdf\/a-[23][abu]$/.test(level))
    throw new RequestError(400, `pdfa must be PDF/A-2b or PDF/A-3b (got '${level}')`);
  return [level as Conformance, ...ua];
}

const PERMISSIONS = {
  allowPrinting: 'print',
  allowCopying: 'copy',
  allowModifying: 'modify',
  allowAnnotating: 'annotate',
  allowFillingForms: 'fill_forms',
  allowAssembling: 'assemble',
} as const;

/** Returns the encryption step of a form. */
export function encryption(form: Form): Step[] {
  const password = form.text('userPassword');
  const owner = form.text('ownerPassword');
  const permissions: Record<string, boolean> = {};
  for (const [name, permission] of Object.entries(PERMISSIONS)) {
    const allowed = form.flag(name);
    if (allowed !== undefined) permissions[permission] = allowed;
  }
  if (password === undefined && owner === undefined) return [];
  return [
    {
      encrypt: {
        ...(password === undefined ? {} : { password }),
        ...(owner === undefined ? {} : { owner_password: owner }),
        ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
      },
    },
  ];
}
