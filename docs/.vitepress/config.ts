import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { ERRORS } from '@platen/contract/errors';
import { errorSources } from '../../bin/site/errors.ts';
import { anchorOf, forSite, highlight } from '../../bin/site/markdown.ts';
import { routeSources } from '../../bin/site/routes.ts';
import { addressOf, SOURCES_FOLDER, writtenSources } from '../../bin/site/sources.ts';
import { ERROR_SECTION, ROUTE_SECTION, type Section, SECTIONS } from './navigation.ts';

/** The site of the documentation: `npm run docs:site` builds it. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
const sources = [...writtenSources(ROOT), ...routeSources(), ...errorSources()];
const files = new Map(sources.map(({ file, address }) => [address.replace(/\.html$/, '.md'), file]));
const pictures = globSync('docs/**/*.{png,webp,svg}', { cwd: ROOT });
const sizes = new Map(
  await Promise.all(
    pictures.map(async (file) => {
      const { width, height } = await sharp(path.join(ROOT, file)).metadata();
      return [file.replace(/^docs\//, ''), { width, height }] as const;
    }),
  ),
);
const addresses = new Map([
  ...sources.map(({ file, address }): [string, string] => [file, address.replace(/\.html$/, '.md')]),
  ...pictures.map((file): [string, string] => [file, file.replace(/^docs\//, '')]),
]);
const fileOf = (address: string): string => files.get(address) ?? address;

/** Set where the site is published from a repository (GitHub Actions): pages then link to their sources. */
const repository = process.env['GITHUB_REPOSITORY'];

/** Pages that a search would find before the guides. They are in the navigation only. */
const NOT_SEARCHED =
  /^(?:CHANGELOG|CODE_OF_CONDUCT|docs\/README|docs\/(?:decisions|interface|contributing)\/|docs\/(?:verification|benchmarks|comparisons|field-reports|architecture|debugging)|packages\/)/;

function sidebarOf({ groups }: Section): DefaultTheme.SidebarItem[] {
  return groups.map(({ title: text, pages }) => ({
    text,
    items: Object.entries(pages).map(([file, name]) => ({ text: name, link: `/${addressOf(file)}` })),
  }));
}

function firstPage({ groups }: Section): string {
  return `/${addressOf(Object.keys(groups[0]?.pages ?? {})[0] ?? '')}`;
}

export default defineConfig({
  lang: 'en',
  title: 'Platen',
  description: 'A document service that you run yourself: templates to PDF, PDF operations, standards.',
  base: '/docs/',
  srcDir: path.join('..', SOURCES_FOLDER),
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: ['public/**'],
  // bin/site/links.ts checks links, and their headings too.
  ignoreDeadLinks: true,
  // Without it each page would have a script of its own, which a strict Content-Security-Policy refuses.
  metaChunk: true,
  markdown: {
    // The service fills `{{ … }}` and reads tags: they are text on these pages.
    html: false,
    linkify: false,
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    highlight,
    config: (md) =>
      forSite(md, {
        fileOf,
        addressOf: (file) => addresses.get(file),
        pageOf: (word) => (word in ERRORS ? `docs/errors/${word}.md` : undefined),
        sizeOf: (address) => sizes.get(address),
      }),
  },
  // What a strict Content-Security-Policy would refuse is in the style sheet.
  transformHtml: (html) => html.replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, ''),
  transformPageData: ({ relativePath }) => ({ filePath: fileOf(relativePath) }),
  // Otherwise the switch adds a style element to the page.
  appearance: { disableTransition: false },
  themeConfig: {
    nav: [
      ...SECTIONS.map((section) => ({
        text: section.title,
        link: firstPage(section),
        activeMatch: `^/${section.folder}/`,
      })),
      {
        text: `v${version}`,
        items: [
          { text: 'Changelog', link: `/${addressOf('CHANGELOG.md')}` },
          { text: 'OpenAPI, Postman, Bruno, llms.txt', link: `/${addressOf('docs/files.md')}` },
        ],
      },
    ],
    // Each section has a sidebar of its own, with groups that are always open.
    sidebar: Object.fromEntries(
      [...SECTIONS, ROUTE_SECTION, ERROR_SECTION].map((section) => [
        `/${section.folder}/`,
        sidebarOf(section),
      ]),
    ),
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: (text, env, md) => (NOT_SEARCHED.test(fileOf(env.relativePath)) ? '' : md.render(text, env)),
        miniSearch: { searchOptions: { boost: { title: 4, titles: 1, text: 2 } } },
      },
    },
    ...(repository === undefined
      ? {}
      : {
          editLink: { pattern: `https://github.com/${repository}/edit/main/:path`, text: 'Edit this page' },
          socialLinks: [{ icon: 'github', link: `https://github.com/${repository}` }],
        }),
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
