import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlatenError, storageFault } from '@platen/core/errors';
import { invalidImage } from '@platen/imaging/limits';
import { type Confinement, confinementVariable, placesOfProgram } from './confinement.ts';
import { MODULES } from './host-process.ts';

/**
 * Converts PostScript to PDF with Ghostscript, which runs as a separate program (AGPL). PostScript is a programming
 * language, so the process gets its own folder, no other files, no environment variables, and a time limit.
 */

/** The script that confines and limits itself, and then executes the program. */
const RUNNER = fileURLToPath(new URL('./run_confined.py', import.meta.url));

/** Bytes of address space: Ghostscript itself needs a tenth, and the PostScript program uses the rest. */
const MEMORY = 1024 * 2 ** 20;
const PROGRAM_MEMORY = 384 * 2 ** 20;
/** Most bytes of a file that it writes. */
const MAX_OUTPUT = 200 * 2 ** 20;
/** Most bytes kept of its messages, enough for the name of the error. */
const MAX_COMPLAINTS = 16_384;

const ARGUMENTS = [
  '-dSAFER',
  '-dBATCH',
  '-dNOPAUSE',
  '-dQUIET',
  `-K${PROGRAM_MEMORY / 1024}`,
  '-sDEVICE=pdfwrite',
  '-dCompatibilityLevel=1.7',
  '-dEPSCrop',
  '-dAutoRotatePages=/None',
  '-dEmbedAllFonts=true',
  // Images stay as they are: no lossy compression, no downsampling, no colour conversion.
  '-dColorConversionStrategy=/LeaveColorUnchanged',
  ...['Color', 'Gray'].flatMap((kind) => [
    `-dAutoFilter${kind}Images=false`,
    `-d${kind}ImageFilter=/FlateEncode`,
    `-dDownsample${kind}Images=false`,
  ]),
  '-dDownsampleMonoImages=false',
];

export interface GhostscriptOptions {
  /** Its name on the search path, or its path. */
  program: string;
  /** Folders separated by `:`. */
  searchPath: string;
  /** Path of the Python that confines it. */
  python: string;
  /** A writable folder. */
  workDir: string;
  /** The confinement, besides the paths that Ghostscript itself needs. */
  confinement: Confinement;
}

/** A PostScript file to be drawn. */
export interface Drawing {
  postScript: Uint8Array;
  /** The subject of an error's sentence: "The EPS". */
  what: string;
  /** Milliseconds. */
  timeout: number;
}

/** Embeds also the fonts that every printer used to have. */
const EMBED_FONTS = ['-c', '<< /NeverEmbed [] >> setdistillerparams'];

/**
 * Draws PostScript and returns a PDF. Its first page is the picture; further pages may follow.
 *
 * @throws PlatenError `engine_missing`, `engine_unavailable`, `image_invalid`, `image_too_large`,
 * `deadline_exceeded`, `storage_unavailable`
 */
export async function drawPostScript(options: GhostscriptOptions, drawing: Drawing): Promise<Uint8Array> {
  if (!existsSync(options.python)) {
    throw new PlatenError(
      'engine_missing',
      `${drawing.what} is PostScript: Ghostscript is confined by Python, and ${options.python} is not installed.`,
    );
  }
  const folder = await mkdtemp(join(options.workDir, 'platen-postscript-'));
  try {
    await writeFile(join(folder, 'in.ps'), asEncapsulated(drawing.postScript));
    const outcome = await runGhostscript(options, folder, drawing);
    if (outcome.code !== 0) refuse(drawing.what, outcome);
    return await readFile(join(folder, 'out.pdf'));
  } catch (error) {
    throw storageFault(error) ?? error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Illustrator files before version 9 are encapsulated PostScript (one page with a bounding box), but their
 * first line, which Ghostscript reads, does not say so.
 */
function asEncapsulated(postScript: Uint8Array): Uint8Array {
  const head = Buffer.from(postScript.subarray(0, 100)).toString('latin1');
  // oxlint-disable-next-line no-control-regex -- an end-of-transmission mark that printer drivers put in front
  const [line, version] = /^\x04?%!PS-Adobe-(\d\.\d)(?=\s)(?!\s*EPSF)/.exec(head) ?? [];
  if (line === undefined) return postScript;
  return Buffer.concat([Buffer.from(`%!PS-Adobe-${version} EPSF-3.0`), postScript.subarray(line.length)]);
}

interface Outcome {
  /** Exit code; null if a signal ended the process, as limits do. */
  code: number | null;
  complaints: string;
}

function runGhostscript(
  { program, searchPath, python, confinement }: GhostscriptOptions,
  folder: string,
  { what, timeout }: Drawing,
): Promise<Outcome> {
  // Many EPS files lack the final `showpage`. If a file has it, this adds a second page, which is ignored.
  const files = ['-sOutputFile=out.pdf', ...EMBED_FONTS, '-f', 'in.ps', '-c', 'showpage'];
  return new Promise((resolve, reject) => {
    const places = { ...confinement, reads: [...confinement.reads, ...placesOfProgram(program, searchPath)] };
    // A limit of CPU seconds just above the timeout, which normally ends it first.
    const seconds = Math.ceil(timeout / 1000) + 1;
    const bounds = [MEMORY, MAX_OUTPUT, seconds].map(String);
    const command = ['-B', RUNNER, ...bounds, program, ...ARGUMENTS, ...files];
    const child = spawn(python, command, {
      cwd: folder,
      env: {
        PATH: searchPath,
        // The folder it runs in: a PostScript program can read and print the names of its temporary files.
        TMPDIR: '.',
        TEMP: '.',
        HOME: folder,
        XDG_CACHE_HOME: folder,
        PYTHONPATH: MODULES,
        ...confinementVariable(places, folder),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that all its child processes end with it.
      detached: true,
    });
    let complaints = '';
    const listen = (text: Buffer): void => {
      if (complaints.length < MAX_COMPLAINTS) complaints += text.toString('latin1');
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') reject(error);
      }
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeout);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      // Kills any child process that still runs.
      kill();
      if (isLate) reject(new PlatenError('deadline_exceeded', `${what} took too long to draw.`));
      else resolve({ code, complaints });
    });
  });
}

/** The exit codes of `run_confined.py`, as of a shell, for a program that cannot be executed or does not exist. */
const NOT_FOUND: readonly (number | null)[] = [126, 127];

/** The exit code of `run_confined.py` if the kernel does not confine it. */
const NOT_CONFINED = 125;

function refuse(what: string, { code, complaints }: Outcome): never {
  if (code === NOT_CONFINED) {
    throw new PlatenError('engine_unavailable', 'Ghostscript does not start.', {
      cause: new Error(complaints.trim()),
    });
  }
  if (NOT_FOUND.includes(code)) {
    throw new PlatenError(
      'engine_missing',
      `${what} is PostScript, which needs Ghostscript; that is not installed where this service runs. Install it (Debian: apt-get install ghostscript; macOS: brew install ghostscript) so that "gs" is on the PATH, or send the image as PDF, SVG or PNG.`,
    );
  }
  if (/VMerror|limitcheck|Memory allocation failed|insufficient memory/i.test(complaints)) {
    throw new PlatenError('image_too_large', `${what} needs too much memory to be drawn.`);
  }
  const name = /Error: \/(\w{1,40})/.exec(complaints)?.[1];
  return invalidImage(
    `${what} cannot be drawn: it is damaged, truncated or uses forbidden operations${name === undefined ? '' : ` (PostScript error ${name})`}.`,
  );
}
