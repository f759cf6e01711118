/**
 * How to get the command line and the clients, in every page that needs it. Until a release is published, that is from
 * a clone; a release sets `PUBLISHED` and runs `npm run docs`.
 */

const PUBLISHED: boolean = false;

/** What the pages say: before a release is published, and after it. */
const TEXTS = {
  cli: [
    'Until a release is published, run it from your clone of the repository: `alias platen="node $PWD/bin/cli.mjs"` there defines the command `platen` in your shell.',
    'Install it with `npm install --global @platen/cli`, or run a command with `npx @platen/cli`.',
  ],
  typescript: [
    'Until a release is published, `npm run pack -- client` in your clone of the repository makes an npm package, which `npm install` takes by its path.',
    'Install it with `npm install @platen/client`.',
  ],
  python: [
    'Until a release is published, install it from your clone of the repository with `pip install ./clients/python`.',
    'Install it with `pip install platen-client`.',
  ],
} as const;

// bounded: a page of our own documentation
const BLOCK = /(<!-- install (\w+) -->\n)[^]*?(\n<!-- end of install -->)/g;

/** Returns a page with its blocks about the installation as they are now. @throws Error for an unknown block */
export function withInstallation(page: string): string {
  return page.replace(BLOCK, (_, begin: string, name: string, end: string) => {
    if (!Object.hasOwn(TEXTS, name)) throw new Error(`There is no text about the installation of ${name}.`);
    return `${begin}\n${TEXTS[name as keyof typeof TEXTS][PUBLISHED ? 1 : 0]}\n${end}`;
  });
}
