import { useRef } from 'preact/hooks';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { withMoved } from './page-order.ts';

/** Files in their order, which buttons and dragging change. */
export function FileList({
  files,
  onFiles,
}: {
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
}) {
  const dragged = useRef<number | null>(null);
  const move = (from: number, to: number): void => onFiles(withMoved(files, from, to));
  return (
    <ol class="file-list">
      {files.map((file, index) => (
        <li
          key={`${index}-${file.name}`}
          draggable={files.length > 1}
          onDragStart={() => {
            dragged.current = index;
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            if (dragged.current === null) return;
            event.preventDefault();
            event.stopPropagation();
            move(dragged.current, index);
            dragged.current = null;
          }}
        >
          <span class="file-name">{file.name}</span>
          <span class="hint">{text.pdf.bytes(file.size)}</span>
          {files.length > 1 && (
            <>
              <Button
                kind="quiet"
                icon="up"
                label={text.pdf.up(file.name)}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <Button
                kind="quiet"
                icon="down"
                label={text.pdf.down(file.name)}
                disabled={index === files.length - 1}
                onClick={() => move(index, index + 1)}
              />
            </>
          )}
          <Button
            kind="quiet"
            icon="close"
            label={text.pdf.remove(file.name)}
            onClick={() => onFiles(files.filter((_, at) => at !== index))}
          />
        </li>
      ))}
    </ol>
  );
}
