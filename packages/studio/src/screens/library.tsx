import { useState } from 'preact/hooks';
import { mayLeave } from '../state/router.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { type Tab, TabPanel, Tabs } from '../ui/tabs.tsx';
import { Fonts } from './library/fonts.tsx';
import { Keys } from './library/keys.tsx';
import { Partials } from './library/partials.tsx';
import { Translations } from './library/translations.tsx';

type Shelf = 'partials' | 'fonts' | 'translations' | 'keys';

const SHELVES = {
  partials: Partials,
  fonts: Fonts,
  translations: Translations,
  keys: Keys,
} as const satisfies Record<Shelf, unknown>;

/** Shows the shared resources of templates that the token may see, with a tab for each kind. */
export function Library() {
  const tabs: Tab<Shelf>[] = [
    ...(hasScope('templates:read')
      ? (['partials', 'fonts', 'translations'] as const).map((name) => ({
          name,
          label: text.library.shelves[name],
        }))
      : []),
    { name: 'keys', label: text.library.shelves.keys },
  ];
  const [shelf, setShelf] = useState<Shelf>(tabs[0]?.name ?? 'keys');
  const Content = SHELVES[shelf];
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{text.library.title}</h1>
      </header>
      <div class="card library">
        <Tabs
          id="library"
          label={text.library.title}
          tabs={tabs}
          selected={shelf}
          onSelect={(name) => (mayLeave.ask === null || mayLeave.ask()) && setShelf(name)}
        />
        <TabPanel id="library" selected={shelf}>
          <Content />
        </TabPanel>
      </div>
    </div>
  );
}
