import { deleteTranslation, listTranslations, putTranslation, translationText } from '../../api/library.ts';
import { text } from '../../text.ts';
import { TextShelf } from './shelf.tsx';

const BLANK = `msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Invoice"
msgstr "Rechnung"
`;

/** Shows the gettext catalogues, one for each locale. */
export function Translations() {
  return (
    <TextShelf
      words={text.library.translations}
      language="plain"
      accept=".po"
      initial={BLANK}
      list={async () =>
        (await listTranslations()).map(({ locale, messages }) => ({
          name: locale,
          detail: text.library.messages(messages),
          isText: true,
        }))
      }
      read={translationText}
      write={putTranslation}
      remove={deleteTranslation}
      nameOf={(file) => file.name.replace(/\.po$/i, '')}
    />
  );
}
