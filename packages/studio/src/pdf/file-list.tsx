import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { useReorder } from '../ui/reorder.ts';
import { withMoved } from './page-order.ts';

/** Shows files in their order, which buttons and dragging change. */
export function FileList({
  files,
  onFiles,
}: {
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
}) {
  const move = (from: number, to: number): void => onFiles(withMoved(files, from, to));
  const dragging = useReorder(move);
  return (
    <ol class="file-list">
      {files.map((file, index) => (
        <li key={`${index}-${file.name}`} draggable={files.length > 1} {...dragging(index)}>
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
