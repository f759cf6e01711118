import { useState } from 'preact/hooks';
import { deleteFont, type Font, listFonts, putFont } from '../../api/library.ts';
import { messageOf } from '../../api/problem.ts';
import { renderSent } from '../../api/render.ts';
import { notify } from '../../state/notices.ts';
import { hasScope } from '../../state/session.ts';
import { text } from '../../text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DropZone } from '../../ui/drop.tsx';
import { Empty, FaultBox, Loading } from '../../ui/empty.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { useLoad } from '../../ui/use-load.ts';

/** Shows the fonts of the tenant, each in its own letters. */
export function Fonts() {
  const { value: fonts, fault, reload } = useLoad(listFonts);
  const [refused, setRefused] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Font | null>(null);
  const canWrite = hasScope('templates:write');

  const add = async (files: readonly File[]): Promise<void> => {
    setRefused(null);
    for (const file of files) {
      try {
        const { faces } = await putFont(file);
        notify('done', text.library.kept(faces[0]?.family ?? file.name));
      } catch (error) {
        setRefused(`${file.name}: ${messageOf(error)}`);
      }
    }
    reload();
  };
  const remove = async ({ filename }: Font): Promise<void> => {
    setDeleting(null);
    try {
      await deleteFont(filename);
    } catch (error) {
      setRefused(messageOf(error));
    }
    reload();
  };

  if (fonts === null) return fault === null ? <Loading label={text.loading} /> : <FaultBox message={fault} />;
  return (
    <div class="panel">
      <p class="hint">{text.library.fonts.lead}</p>
      {refused !== null && <FaultBox message={refused} />}
      {canWrite && (
        <DropZone
          label={text.library.fonts.drop}
          hint="ttf, otf, ttc, woff, woff2"
          accept=".ttf,.otf,.ttc,.otc,.woff,.woff2"
          many
          small
          onFiles={(files) => void add(files)}
        />
      )}
      {fonts.length === 0 && <Empty icon="font" title={text.library.fonts.none} />}
      <ul class="cards fonts">
        {fonts.map((font) => (
          <FontCard key={font.filename} font={font} onDelete={canWrite ? () => setDeleting(font) : null} />
        ))}
      </ul>
      {deleting !== null && (
        <Confirm
          title={text.library.fonts.deleteTitle}
          question={text.library.fonts.deleteQuestion(deleting.filename)}
          action={text.delete}
          onClose={() => setDeleting(null)}
          onDo={() => void remove(deleting)}
        />
      )}
    </div>
  );
}

function FontCard({ font, onDelete }: { font: Font; onDelete: (() => void) | null }) {
  const { filename, format, bytes, faces, timestamp } = font;
  const [face] = faces;
  return (
    <li class="card template-card">
      <Thumbnail identity={`font-${filename}-${timestamp}`} load={() => specimen(font)} />
      <span class="card-title">{face?.family ?? filename}</span>
      <span class="card-text">
        <span class="badge">{format}</span>
        <span>{faces.map(({ style }) => style).join(', ')}</span>
        <span>{text.pdf.bytes(bytes)}</span>
      </span>
      <span class="card-text">
        <code>{filename}</code>
      </span>
      {onDelete !== null && (
        <span class="card-action">
          <Button kind="quiet" icon="trash" label={text.library.deleteLabel(filename)} onClick={onDelete} />
        </span>
      )}
    </li>
  );
}

/** Returns a page set in the font. The family comes from an untrusted file, so it is quoted as a CSS string. */
async function specimen({ faces }: Font): Promise<ArrayBuffer> {
  const [face] = faces;
  const family = (face?.family ?? '').replace(/["\\\n<>{}]/g, '');
  const style = `@page { size: 10cm 7cm; margin: 0.6cm }
    body { margin: 0; font: ${face?.italic === true ? 'italic ' : ''}${face?.weight[0] ?? 400} 15pt/1.35 "${family}" }
    b { display: block; font-weight: inherit; font-size: 46pt; line-height: 1.2 }`;
  const file = new File(
    ['<b>Aa Gg</b>ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789'],
    'font.html',
  );
  const template = { file, header: '', footer: '', styles: [style], images: new Map<string, Blob>() };
  const data = { name: 'font', format: 'html', display_header_footer: false };
  return (await renderSent({ ...template, data }, '{}')).blob.arrayBuffer();
}
