import { deletePartial, listPartials, partialFile, putPartial } from '../../api/library.ts';
import { text } from '../../text.ts';
import { TextShelf } from './shelf.tsx';

/** Shows the partials that templates include: text of any kind, or a docx. */
export function Partials() {
  return (
    <TextShelf
      words={text.library.partials}
      language="jinja2"
      accept=".html,.txt,.xml,.docx"
      initial={'<p>{{ sender }}</p>\n'}
      list={async () =>
        (await listPartials()).map(({ name, format, bytes }) => ({
          name,
          detail: `${format} · ${text.pdf.bytes(bytes)}`,
          isText: format === 'text',
        }))
      }
      read={async (name) => (await partialFile(name)).text()}
      write={putPartial}
      remove={deletePartial}
      nameOf={(file) => file.name}
    />
  );
}
