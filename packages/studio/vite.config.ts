import path from 'node:path';
import { defineConfig } from 'vite';

/**
 * Everything the Studio loads is a file of its own folder, under a name with its hash; addresses are relative, so that
 * it runs below any path.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  resolve: {
    alias: {
      '@codemirror/lang-javascript': path.join(import.meta.dirname, 'src/editor/script-language.ts'),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: process.env['PLATEN_STUDIO_OUT'] ?? path.join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is inlined: the Content-Security-Policy allows files of the site only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries({ index: 'index.html', embed: 'embed.html', element: 'src/embed/element.ts' }).map(
          ([name, file]) => [name, path.join(import.meta.dirname, file)],
        ),
      ),
      output: {
        // Other sites load it by this name.
        entryFileNames: ({ name }) => (name === 'element' ? 'embed.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
