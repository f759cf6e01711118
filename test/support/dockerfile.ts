import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { inRoot, networkEnvironment } from './debian-root.ts';

/**
 * Executes the instructions of a Dockerfile without Docker: each stage in a folder that holds a Debian. Requires root.
 */

interface Instruction {
  name: string;
  rest: string;
}

/** The settings of an image for running it. */
export interface Image {
  root: string;
  /** The working directory of its program. */
  workdir: string;
  env: Record<string, string>;
  /** ENTRYPOINT and CMD. */
  command: string[];
  /** The user it runs as, `uid:gid`; root when null. */
  user: string | null;
  /** The command of its health check. */
  health: string[];
}

/** Returns the instructions of a Dockerfile, with continued lines joined and without comments. */
export function instructionsOf(dockerfile: string): Instruction[] {
  return dockerfile
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => ({
      name: line.slice(0, line.indexOf(' ')),
      rest: line.slice(line.indexOf(' ') + 1).trim(),
    }));
}

/**
 * Executes the instructions of `<context>/Dockerfile`.
 *
 * @param folder the folder for the roots of its stages, by the names of the stages
 * @param base creates the root of a stage from the name of its base image
 * @param built called when a stage is complete, with its name
 * @returns the image of the last stage
 * @throws for an unsupported instruction, and if an instruction fails
 */
export function buildImage(
  context: string,
  folder: string,
  base: (image: string, root: string) => void,
  built: (stage: string, image: Image) => void = () => {},
): Image {
  const stages = new Map<string, Image>();
  let [image, current]: [Image | undefined, string] = [undefined, ''];
  for (const { name, rest } of instructionsOf(readFileSync(path.join(context, 'Dockerfile'), 'utf8'))) {
    console.log(`> ${name} ${rest}`);
    if (name === 'FROM') {
      if (image !== undefined) built(current, image);
      const [from = '', , stage = `stage-${stages.size + 1}`] = rest.split(/\s+/);
      const root = path.join(folder, stage);
      const before = stages.get(from);
      if (before === undefined) {
        base(from, root);
        image = { root, workdir: '/', env: {}, command: [], user: null, health: [] };
      } else {
        rmSync(root, { recursive: true, force: true });
        copyInto(before.root, root);
        image = { ...before, root, env: { ...before.env }, command: [...before.command] };
      }
      current = stage;
      stages.set(stage, image);
    } else if (image === undefined) {
      throw new Error(`${name} stands before FROM.`);
    } else {
      take(name, rest, { context, stages, image });
    }
  }
  if (image === undefined) throw new Error('The Dockerfile has no stage.');
  built(current, image);
  return image;
}

interface State {
  context: string;
  stages: ReadonlyMap<string, Image>;
  image: Image;
}

function take(name: string, rest: string, { context, stages, image }: State): void {
  switch (name) {
    case 'RUN':
      runStep(image, rest);
      return;
    case 'COPY':
      copy(rest, image, (stage) => (stage === undefined ? context : (stages.get(stage)?.root ?? stage)));
      return;
    case 'WORKDIR':
      image.workdir = path.resolve(image.workdir, rest);
      mkdirSync(path.join(image.root, image.workdir), { recursive: true });
      return;
    case 'ENV':
      for (const pair of rest.split(/\s+/)) {
        const [variable = '', ...value] = pair.split('=');
        image.env[variable] = value.join('=');
      }
      return;
    case 'USER':
      image.user = rest;
      return;
    case 'HEALTHCHECK':
      image.health = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
      return;
    case 'EXPOSE':
    case 'VOLUME':
      // These instructions describe the image for its users and change nothing in it.
      return;
    case 'ENTRYPOINT':
    case 'CMD':
      image.command.push(...(JSON.parse(rest) as string[]));
      return;
    default:
      throw new Error(`There is no step for ${name}.`);
  }
}

function runStep({ root, workdir, env, user }: Image, script: string): void {
  if (user !== null && user !== 'root') throw new Error(`There is no step for RUN as ${user}.`);
  const [program, args] = inRoot(root, '/bin/sh', '-c', `cd '${workdir}' && ${script}`);
  execFileSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...networkEnvironment(), PATH: IMAGE_PATH, HOME: '/root', ...env },
  });
}

/** Node's images set this. */
export const IMAGE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function copy(rest: string, { root, workdir }: Image, folderOf: (stage: string | undefined) => string): void {
  const words = rest.split(/\s+/);
  const stage = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  const destination = path.join(root, path.resolve(workdir, target));
  for (const word of words) {
    const source = path.join(folderOf(stage), word);
    if (!existsSync(source)) throw new Error(`COPY finds no ${source}.`);
    // Docker copies a folder's content, and copies a file into a path that ends with a slash.
    const isFile = !statSync(source).isDirectory();
    const place = isFile && target.endsWith('/') ? path.join(destination, path.basename(word)) : destination;
    copyInto(source, place);
  }
}

/** Copies a file, or the content of a folder with its links; existing files and links are replaced. */
export function copyInto(source: string, target: string): void {
  const isFolder = statSync(source).isDirectory();
  mkdirSync(isFolder ? target : path.dirname(target), { recursive: true });
  execFileSync('cp', ['-a', '--remove-destination', isFolder ? `${source}/.` : source, target]);
}
