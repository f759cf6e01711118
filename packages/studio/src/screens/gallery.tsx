import { useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { renderSent } from '../api/render.ts';
import type { Template } from '../api/types.ts';
import { loadSamples, type Sample, sentSample } from '../samples.ts';
import { go } from '../state/router.ts';
import { text } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DropZone } from '../ui/drop.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { useLoad } from '../ui/use-load.ts';
import { blankTemplate, isTemplateFile, templateOfFile, templateOfSample } from './new-template.ts';

/** Starts a template from a sample, an empty page or a file. */
export function Gallery({ onClose }: { onClose: () => void }) {
  const { value: samples } = useLoad(loadSamples);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const begin = async (make: () => Promise<Template>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      const { id } = await make();
      onClose();
      go({ screen: 'template', id });
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={text.templates.add} onClose={onClose} wide>
      {fault !== null && <FaultBox message={fault} />}
      <h3>{text.templates.fromGallery}</h3>
      {samples === null ? (
        <Loading label={text.loading} />
      ) : (
        <ul class="gallery">
          {samples.map((sample) => (
            <li key={sample.name}>
              <button
                type="button"
                class="card gallery-card"
                disabled={busy}
                onClick={() => void begin(() => templateOfSample(sample))}
              >
                <Thumbnail identity={`sample-${sample.name}`} load={() => picture(sample)} />
                <span class="card-title">{sample.title}</span>
                <span class="card-text">{sample.description}</span>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              class="card gallery-card"
              disabled={busy}
              onClick={() => void begin(blankTemplate)}
            >
              <span class="thumbnail blank" aria-hidden="true" />
              <span class="card-title">{text.templates.blank}</span>
              <span class="card-text">{text.templates.blankLead}</span>
            </button>
          </li>
        </ul>
      )}
      <DropZone
        label={text.templates.fromFile}
        hint={text.templates.fromFileHint}
        accept=".html,.htm,.docx,.xlsx,.pptx,.odt,.ods,.odp"
        onFiles={([file]) => {
          if (file === undefined) return;
          if (isTemplateFile(file.name)) void begin(() => templateOfFile(file));
          else setFault(text.templates.wrongFormat(file.name));
        }}
      />
    </Dialog>
  );
}

async function picture(sample: Sample): Promise<ArrayBuffer> {
  return (await renderSent(sentSample(sample), sample.data)).blob.arrayBuffer();
}
