import { FONT_FAMILIES } from './fonts.ts';
import type { Tab } from './tab.ts';

/** Prepares a new tab for documents: its requests wait for a decision, and nothing in it waits for a person. */
export async function prepareTab(tab: Tab): Promise<void> {
  // An alert would wait until it is closed.
  tab.on(
    'Page.javascriptDialogOpening',
    () => void tab.tell('Page.handleJavaScriptDialog', { accept: false }),
  );
  await Promise.all([
    tab.send('Page.enable'),
    tab.send('Log.enable'),
    tab.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    // Resources that load before printing belong to the print rules: fonts and images.
    tab.send('Emulation.setEmulatedMedia', { media: 'print' }),
    tab.send('Network.setBypassServiceWorker', { bypass: true }),
    tab.send('Page.setFontFamilies', FONT_FAMILIES),
  ]);
}
