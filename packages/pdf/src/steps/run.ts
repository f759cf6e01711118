import type { MessagePort } from 'node:worker_threads';
import { keepClaims } from '../conformance/restore-claims.ts';
import { keepSmaller } from '../files/keep-smaller.ts';
import { encryptArguments, type EncryptOptions } from '../files/encryption.ts';
import { type Engine, type PdfInput, protectionArguments } from '../files/engine.ts';
import { moveFile } from '../files/move-file.ts';
import type { PdfNote } from '../notes.ts';
import { Draft } from './draft.ts';
import { type Framing, RUN, type StepContext, type StepFindings } from './registry.ts';
import { protectionOf } from '../forms/protection.ts';
import { signed } from '../forms/refused.ts';
import { withoutSignatures } from '../forms/unsigned.ts';
import type { Step, StepOptions } from './types.ts';

export interface StepsTask {
  /** In merge order. */
  inputs: readonly PdfInput[];
  output: string;
  steps: readonly Step[];
  /** Whether signed files may be changed. */
  breakSignatures: boolean;
  /** Name of the list of steps in errors; null for a single step, which has its own name. */
  place: string | null;
  /** Folder of the font files; null if the deployment has none. */
  fonts: string | null;
  /**
   * Whether a protected file stays protected, with the same passwords and permissions, if no step says otherwise.
   * Default `keep`; `drop` if the result is signed, which a protected file cannot be.
   */
  protection?: 'keep' | 'drop' | undefined;
  /** Compiled PDFium, if a step needs it. */
  pdfium?: WebAssembly.Module | undefined;
  /** Channel to the code that prints html, if a step has html. */
  printer?: MessagePort | undefined;
  /** Time of the execution, ISO 8601 in UTC, to the second. */
  now: string;
}

export interface StepsDone extends StepFindings {
  /** Whether a protected file became unprotected without a step that requests it. */
  lostProtection: boolean;
}

/** How the result is written. */
interface Writing {
  /** Whether the steps leave the document what it claims to be. */
  isUnchanged: boolean;
  encrypt: EncryptOptions | undefined;
  /** The protected file whose protection the result gets. */
  as: PdfInput | undefined;
  linearize: boolean;
}

/**
 * Runs in its thread: executes a chain of steps in order. Each input is read once, and joined with the others
 * at the `merge` step, else before everything; files are decrypted when they are read, and the result is
 * encrypted when it is written.
 */
export async function runSteps(engine: Engine, task: StepsTask): Promise<StepsDone> {
  const { steps } = task;
  const framing = framingOf(steps);
  const inputs = task.inputs.map((input) => ({
    ...input,
    password: framing.decrypt?.password ?? input.password,
  }));
  const locked: PdfInput[] = [];
  const drafts: Draft[] = [];
  const told: StepFindings = { violations: [], notes: [] };
  for (const input of inputs) {
    const { isLocked, isSigned } = await protectionOf(engine, input);
    const appends = isSigned && !task.breakSignatures;
    if (appends && (isLocked || !keepsSignatures(task))) throw signed(input);
    if (isLocked) locked.push(input);
    const given = isSigned && !appends ? await withoutSignatures(engine, input) : { input, notes: [] };
    told.notes.push(...given.notes);
    drafts.push(new Draft(engine, given.input, { isProtected: isLocked, appends }));
  }
  const isFramed = framing.decrypt !== undefined || framing.encrypt !== undefined;
  const keeps = !isFramed && task.protection !== 'drop' && inputs.length === 1 && !steps.some(opens);
  const writing = {
    isUnchanged: steps.every(({ name }) => UNCHANGING.has(name)),
    encrypt: framing.encrypt,
    as: keeps ? locked[0] : undefined,
    linearize: framing.linearize !== undefined || steps.some(linearizes),
  };
  const mergeAt = steps.findIndex(({ name }) => name === 'merge');
  for (const draft of drafts) await carryOut(draft, task, told, { from: 0, to: mergeAt });
  const { draft, claims } = await joined(engine, drafts, told);
  await carryOut(draft, task, told, { from: mergeAt + 1, to: steps.length });
  told.notes.push(...(await settleClaims(draft, task, writing, claims)));
  await write(engine, draft, writing, task);
  const [input] = inputs;
  // The result is never larger than the input.
  if (input !== undefined && steps.length > 0 && steps.every(({ name }) => name === 'compress'))
    await keepSmaller(input.path, task.output);
  return { ...told, lostProtection: locked.length > 0 && !isFramed && writing.as === undefined };
}

/** Whether a step makes a document that must not be protected: PDF/A forbids encryption. */
function opens({ name }: Step): boolean {
  return name === 'conform' || name === 'factur_x';
}

function linearizes({ name, options }: Step): boolean {
  return name === 'compress' && options.linearize === true;
}

/** Steps after which a document is what it claimed to be before. */
const UNCHANGING: ReadonlySet<Step['name']> = new Set([
  'metadata',
  'compress',
  'decrypt',
  'encrypt',
  'linearize',
] as const);

/**
 * Returns whether the changes can be appended to a file, so that its signatures stay valid if they permit the
 * changes.
 */
function keepsSignatures({ inputs, steps }: StepsTask): boolean {
  return inputs.length === 1 && steps.length > 0 && steps.every(({ name }) => name === 'fill');
}

/** The steps that concern reading and writing, by name. */
function framingOf(steps: readonly Step[]): { [N in Framing]?: StepOptions[N] } {
  return Object.fromEntries(steps.map(({ name, options }) => [name, options]));
}

async function carryOut(
  draft: Draft,
  { steps, place, now, fonts, pdfium, printer }: StepsTask,
  told: StepFindings,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let index = from; index < to; index++) {
    const step = steps[index];
    if (step === undefined || !isRun(step.name)) continue;
    const where = place === null ? step.name : `${place}[${index}].${step.name}`;
    // Name and options match, which TypeScript does not infer from the table.
    const run = RUN[step.name] as (draft: Draft, options: unknown, context: StepContext) => Promise<void>;
    await run(draft, step.options, { place: where, now, fonts, findings: told, pdfium, printer });
  }
}

function isRun(name: Step['name']): name is keyof typeof RUN {
  return Object.hasOwn(RUN, name);
}

/** The single document made from all inputs, and the claims of each of several inputs. */
async function joined(
  engine: Engine,
  drafts: readonly Draft[],
  told: StepFindings,
): Promise<{ draft: Draft; claims: string[][] | undefined }> {
  const [first] = drafts;
  if (first === undefined) throw new Error('a chain of steps has no input');
  if (drafts.length === 1) return { draft: first, claims: undefined };
  const { assemble } = await import('../graft/assemble.ts');
  const parts: { input: PdfInput }[] = [];
  for (const draft of drafts) parts.push({ input: await draft.file() });
  const { claims, notes } = await first.rewrite((_input, output) => assemble(engine, parts, output));
  told.notes.push(...notes);
  return { draft: first, claims };
}

/**
 * Declares the previous claims of a changed document, if it still meets them.
 *
 * @param joined the claims of each source document; undefined for a single one
 */
async function settleClaims(
  draft: Draft,
  { steps, fonts }: StepsTask,
  { isUnchanged, encrypt, as }: Writing,
  joined: string[][] | undefined,
): Promise<PdfNote[]> {
  // The bytes of a file that is appended to stay as they are.
  if (draft.isAppendedTo) return [];
  const claims = joined ?? [await draft.claims()];
  if (claims.every((own) => own.length === 0)) return [];
  const isEncrypted = encrypt !== undefined || as !== undefined;
  const isArchive = claims.flat().some((claim) => claim.startsWith('pdf/a'));
  // After `conform` and `factur_x`, the document has the requested claims.
  const isSettled = steps.some(opens) || (joined === undefined && (isUnchanged || draft.isUntouched));
  if (isSettled && !(isEncrypted && isArchive)) return [];
  return await draft.rewrite(({ path }, output) =>
    keepClaims(draft.engine, path, output, { claims, fonts, isEncrypted }),
  );
}

/** Writes the result according to the steps for reading and writing. */
async function write(
  engine: Engine,
  draft: Draft,
  { isUnchanged, encrypt, as, linearize }: Writing,
  { inputs: given, output }: StepsTask,
): Promise<void> {
  if (isUnchanged) draft.keepArrangement();
  const input = await draft.file();
  // A file that no step has touched has not been read, and may be of any type.
  const isRead = !given.some(({ path }) => path === input.path);
  if (isRead && encrypt === undefined && as === undefined && !linearize) {
    await moveFile(input.path, output);
    return;
  }
  await engine.write(input, [
    { path: input.path },
    '--object-streams=preserve',
    ...(linearize ? ['--linearize'] : []),
    ...(encrypt === undefined ? [] : encryptArguments(encrypt)),
    ...(as === undefined ? [] : protectionArguments(as)),
    { path: output },
  ]);
}
