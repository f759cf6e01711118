import { PlatenError } from '@platen/core/errors';
import { type Step, orderFaults, type StepName } from '@platen/pdf/steps';
import type { RenderOptions, SignOptions } from '@platen/contract/options';
import { type WireStep, wireSteps } from '@platen/contract/steps';
import type { PlatenRequest } from './http/index.ts';
import type { Signing } from './signing/signing.ts';
import { stampFonts } from './stamp-fonts.ts';
import type { TenantFiles } from './store/tenant-files.ts';
import { combinedSigner, readySteps, type Sign, unnamed } from './step-values.ts';

/** The final changes to a rendered PDF: the steps of its options (I-46), and its signature (I-45). */

/**
 * Returns the steps that the options of a rendering have.
 *
 * @throws PlatenError `steps_invalid` for steps that are incompatible with other options
 */
export function stepsOfRendering(options: RenderOptions): WireStep[] {
  const wire = wireSteps(options.steps ?? []);
  const names: StepName[] = wire.map(({ name }) => name);
  if (names.length === 0) return [];
  for (const [option, step, isGiven] of [
    ['compress', 'compress', options.compress === true],
    ['conformance', 'conform', (options.conformance ?? []).length > 0],
    ['factur_x', 'conform', options.factur_x !== undefined],
    ['encrypt_password', 'encrypt', options.encrypt_password !== undefined],
  ] as const) {
    const [fault] = isGiven ? orderFaults([...names, step]) : [];
    if (fault === undefined) continue;
    const field = `render_options.${option}`;
    const message = `${field} applies after the steps, and must be ${fault.message}`;
    throw new PlatenError('steps_invalid', `${message}.`, { faults: [{ field, message }] });
  }
  return wire;
}

/** Prefix of the parts of a rendering for its steps. */
const STEP_PART = 'step_';

/** Most bytes of such a part. */
const MAX_STEP_FILE = 64 * 2 ** 20;

/** The steps of a document, validated as far as possible before it exists. */
export interface RenderingSteps {
  /** Returns the steps, with their files on disk. */
  load: () => Promise<Step[]>;
  /** Signs the document, as the last step; undefined for no signature. */
  sign: Sign | undefined;
}

/** The services that the steps of a rendering need. */
export interface RenderingServices {
  /** Undefined for a deployment that stores no keys. */
  signing?: Pick<Signing, 'signerOf'> | undefined;
  tenantFonts: TenantFiles;
}

/**
 * Prepares the steps of a rendering, with their parts of the request, and its signer.
 *
 * @param wire as `stepsOfRendering`
 * @param request warnings are added for parts that nothing names
 * @throws PlatenError `invalid_option` for a signature together with a password; `not_implemented`; as `readySteps`
 */
export async function readyRendering(
  wire: readonly WireStep[],
  options: RenderOptions,
  { tenant, signal, files, warnings }: Pick<PlatenRequest, 'tenant' | 'signal' | 'files' | 'warnings'>,
  { signing, tenantFonts }: RenderingServices,
): Promise<RenderingSteps> {
  const { sign: signature } = options;
  if (signature !== undefined && options.encrypt_password !== undefined) {
    const message = 'cannot be honoured together with encrypt_password';
    const fault = { field: 'render_options.sign', message };
    throw new PlatenError('invalid_option', `\`render_options.sign\` ${message}.`, { faults: [fault] });
  }
  const signerOf = async (wanted: SignOptions): Promise<Sign> => {
    if (signing === undefined)
      throw new PlatenError('not_implemented', 'This deployment does not support keys.');
    return await signing.signerOf(tenant, wanted, { signal, files });
  };
  const own = files.filter(({ field, size }) => field.startsWith(STEP_PART) && size > 0);
  for (const file of own) file.checkSize(MAX_STEP_FILE);
  const ready = await readySteps(wire, 'render_options.steps', {
    files: own,
    most: MAX_STEP_FILE,
    signerOf,
    fontOf: stampFonts(tenant, tenantFonts),
    // Loaded when needed: most documents are no invoices.
    invoiceOf: async (xml, profile) => (await import('./factur-x.ts')).checkedInvoice(xml, profile),
  });
  const seen = signature?.appearance?.image;
  warnings.push(
    ...unnamed(
      own.filter(({ field }) => field !== seen),
      ready,
    ),
  );
  const signers = [ready.sign, signature && (await signerOf(signature))];
  return { load: ready.load, sign: combinedSigner(signers.filter((sign) => sign !== undefined)) };
}
