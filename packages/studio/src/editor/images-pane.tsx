import { useEffect, useMemo } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { deleteImage } from '../api/templates.ts';
import { notify } from '../state/notices.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { DropZone } from '../ui/drop.tsx';
import type { EditorModel } from './model.ts';
import { refreshVersions, storeImages } from './store-images.ts';

/** Shows the images of the template. Dropped, pasted or chosen ones are stored at once as a draft. */
export function ImagesPane({ model }: { model: EditorModel }) {
  const canWrite = hasScope('templates:write');

  const remove = async (id: string): Promise<void> => {
    try {
      await deleteImage(id, false);
      model.imageRemoved(id);
    } catch (error) {
      notify('fault', messageOf(error));
    }
    await refreshVersions(model);
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const files = Array.from(event.clipboardData?.files ?? []).filter(({ type }) =>
        type.startsWith('image/'),
      );
      if (files.length > 0 && canWrite) void storeImages(model, files);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  });

  return (
    <div class="scroll images-pane">
      {canWrite && (
        <DropZone
          label={text.images.drop}
          hint={text.images.hint}
          many
          small
          onFiles={(files) => void storeImages(model, files)}
        />
      )}
      {model.images.value.length === 0 && <p class="hint">{text.images.none}</p>}
      <ul class="image-list">
        {model.images.value.map(({ file, blob }) => (
          <li key={file.id} class="card image-card">
            <Picture blob={blob} label={file.uri} />
            <code>{`{{ ${file.uri} }}`}</code>
            <span class="row">
              <Button
                kind="quiet"
                icon="copy"
                label={text.copy}
                onClick={() => void copyText(text.images.use(file.uri))}
              />
              {canWrite && (
                <Button
                  kind="quiet"
                  icon="trash"
                  label={text.images.deleteLabel(file.uri)}
                  onClick={() => void remove(file.id)}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shows an SVG as an image, so that its scripts do not run. */
function Picture({ blob, label }: { blob: Blob; label: string }) {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img src={url} alt={label} />;
}
