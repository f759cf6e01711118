import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DropProps {
  /** A sentence about the files that may be dropped or chosen. */
  label: string;
  hint?: string;
  accept?: string;
  many?: boolean;
  small?: boolean;
  onFiles: (files: File[]) => unknown;
}

/** An area on which files are dropped, or chosen by pressing it. */
export function DropZone({ label, hint, accept, many = false, small = false, onFiles }: DropProps) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (list: FileList | null | undefined): void => {
    const files = Array.from(list ?? []);
    if (files.length > 0) onFiles(many ? files : files.slice(0, 1));
  };
  return (
    <div
      class={`drop${over ? ' over' : ''}${small ? ' small' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <button type="button" class="drop-button" onClick={() => input.current?.click()}>
        <Icon name="upload" size={small ? 18 : 24} />
        <span class="drop-label">{label}</span>
        {hint !== undefined && <span class="drop-hint">{hint}</span>}
      </button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label={label}
        {...(accept === undefined ? {} : { accept })}
        multiple={many}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Accepts files that are dropped anywhere on its content. */
export function DropArea({
  label,
  onFiles,
  children,
}: {
  label: string;
  onFiles: (files: File[]) => unknown;
  children: ComponentChildren;
}) {
  const [depth, setDepth] = useState(0);
  return (
    <div
      class="drop-area"
      onDragEnter={(event) => {
        if (event.dataTransfer?.types.includes('Files') === true) setDepth((now) => now + 1);
      }}
      onDragLeave={() => setDepth((now) => Math.max(0, now - 1))}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        setDepth(0);
        const files = Array.from(event.dataTransfer?.files ?? []);
        if (files.length > 0) onFiles(files);
      }}
    >
      {children}
      {depth > 0 && (
        <div class="drop-curtain" aria-hidden="true">
          <Icon name="upload" size={32} />
          {label}
        </div>
      )}
    </div>
  );
}
