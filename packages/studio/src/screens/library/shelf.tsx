import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PlatenError } from '@platen/client/errors';
import type { Fault } from '../../api/types.ts';
import { CodeEditor } from '../../editor/code-editor.tsx';
import type { Language } from '../../editor/languages.ts';
import { notify } from '../../state/notices.ts';
import { mayLeave } from '../../state/router.ts';
import { hasScope } from '../../state/session.ts';
import { text } from '../../text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DropZone } from '../../ui/drop.tsx';
import { Empty, FaultBox, Loading } from '../../ui/empty.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useLoad } from '../../ui/use-load.ts';

/** A text that is stored under a name. */
export interface Kept {
  name: string;
  /** Shown below the name. */
  detail: string;
  /** False for a file that is not text: it is replaced by dropping another file. */
  isText: boolean;
}

export interface ShelfWords {
  lead: string;
  none: string;
  add: string;
  drop: string;
  name: string;
  nameHint: string;
  /** The code with which a template uses one. */
  use: string;
  example: string;
  deleteTitle: string;
}

interface ShelfProps {
  words: ShelfWords;
  language: Language;
  accept: string;
  /** The initial content of a new one. */
  initial: string;
  list: () => Promise<Kept[]>;
  read: (name: string) => Promise<string>;
  write: (name: string, file: Blob) => Promise<unknown>;
  remove: (name: string) => Promise<void>;
  /** Returns the name for a dropped file. */
  nameOf: (file: File) => string;
}

/** The open text: a stored one, or a new one. */
interface Open {
  name: string;
  isNew: boolean;
  isText: boolean;
  stored: string;
  now: string;
}

/** The stored texts, the open one, and their actions. */
function useShelf({ initial, list, read, write, remove }: ShelfProps) {
  const { value: kept, fault, reload } = useLoad(list);
  const [open, setOpen] = useState<Open | null>(null);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const {
    busy,
    fault: problem,
    attempt: run,
  } = useAttempt((error) => {
    if (error instanceof PlatenError) setFaults(error.errors);
  });
  const revision = useRef(0);
  const isChanged = open !== null && open.now !== open.stored;
  const leaves = (): boolean => !isChanged || confirm(text.library.leave);
  useEffect(() => {
    mayLeave.ask = leaves;
    return () => {
      mayLeave.ask = null;
    };
  });

  const show = (next: Open | null): void => {
    revision.current++;
    setOpen(next);
  };
  const attempt = (work: () => Promise<void>): Promise<boolean> => {
    setFaults([]);
    return run(work);
  };
  const stored = (name: string, isText: boolean, content: string): Open => ({
    name,
    isNew: false,
    isText,
    stored: content,
    now: content,
  });
  const keep = async (name: string, file: Blob): Promise<void> => {
    await write(name, file);
    notify('done', text.library.kept(name));
    reload();
  };
  return {
    kept,
    fault,
    open,
    faults,
    problem,
    busy,
    isChanged: isChanged || open?.isNew === true,
    revision: revision.current,
    mayLeave: leaves,
    change: (now: Partial<Open>) => setOpen((before) => (before === null ? null : { ...before, ...now })),
    begin: () => show({ name: '', isNew: true, isText: true, stored: initial, now: initial }),
    openKept: ({ name, isText }: Kept) =>
      attempt(async () => show(stored(name, isText, isText ? await read(name) : ''))),
    /** Changes that were typed during storing stay. */
    save: ({ name, now }: Open) =>
      attempt(async () => {
        await keep(name, new File([now], 'file.txt'));
        setOpen((after) => (after === null ? null : { ...after, name, isNew: false, stored: now }));
      }),
    take: (name: string, file: File) =>
      attempt(async () => {
        const isText = !/\.docx$/i.test(name);
        await keep(name, file);
        show(stored(name, isText, isText ? await file.text() : ''));
      }),
    remove: (name: string) =>
      attempt(async () => {
        await remove(name);
        show(null);
        reload();
      }),
  };
}

/** Shows texts by name: a list of them, and the selected one in an editor. */
export function TextShelf(props: ShelfProps) {
  const { words, accept, nameOf } = props;
  const shelf = useShelf(props);
  const [deleting, setDeleting] = useState<string | null>(null);
  const canWrite = hasScope('templates:write');
  const { kept, fault, open, problem } = shelf;
  if (kept === null) return fault === null ? <Loading label={text.loading} /> : <FaultBox message={fault} />;
  return (
    <div class="shelf">
      <div class="shelf-list">
        <p class="hint">{words.lead}</p>
        {canWrite && (
          <Button icon="plus" onClick={() => shelf.mayLeave() && shelf.begin()}>
            {words.add}
          </Button>
        )}
        <ul class="shelf-items">
          {kept.map((item) => (
            <li key={item.name}>
              <button
                type="button"
                class="shelf-item"
                aria-current={open?.name === item.name ? 'true' : undefined}
                onClick={() => shelf.mayLeave() && void shelf.openKept(item)}
              >
                <span class="shelf-name">{item.name}</span>
                <span class="hint">{item.detail}</span>
              </button>
            </li>
          ))}
        </ul>
        {canWrite && (
          <DropZone
            label={words.drop}
            hint={accept.replaceAll('.', '').replaceAll(',', ', ')}
            accept={accept}
            small
            onFiles={([file]) =>
              file !== undefined && shelf.mayLeave() && void shelf.take(nameOf(file), file)
            }
          />
        )}
      </div>
      <div class="shelf-open">
        {problem !== null && <FaultBox message={problem} />}
        {open === null ? (
          <Empty icon="library" title={kept.length === 0 ? words.none : text.library.choose}>
            <p>
              {words.use} <code>{words.example}</code>
            </p>
          </Empty>
        ) : (
          <OpenText
            {...props}
            open={open}
            identity={`${words.name}-${shelf.revision}`}
            faults={shelf.faults}
            busy={shelf.busy}
            canSave={canWrite && shelf.isChanged}
            onChange={shelf.change}
            onSave={() => void shelf.save(open)}
            onDelete={canWrite && !open.isNew ? () => setDeleting(open.name) : null}
          />
        )}
      </div>
      {deleting !== null && (
        <Confirm
          title={words.deleteTitle}
          question={text.library.deleteQuestion(deleting)}
          action={text.delete}
          onClose={() => setDeleting(null)}
          onDo={() => {
            setDeleting(null);
            void shelf.remove(deleting);
          }}
        />
      )}
    </div>
  );
}

interface OpenTextProps extends ShelfProps {
  open: Open;
  identity: string;
  faults: readonly Fault[];
  busy: boolean;
  canSave: boolean;
  onChange: (change: Partial<Open>) => void;
  onSave: () => void;
  onDelete: (() => void) | null;
}

function OpenText(props: OpenTextProps): ComponentChildren {
  const { words, language, open, identity, faults, busy, canSave, onChange, onSave, onDelete } = props;
  return (
    <>
      <form
        class="sub-bar"
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        {open.isNew ? (
          <input
            class="shelf-new"
            aria-label={words.name}
            placeholder={words.nameHint}
            required
            value={open.name}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        ) : (
          <h2>{open.name}</h2>
        )}
        <span class="space" />
        {open.isText && (
          <Button kind="primary" type="submit" busy={busy} disabled={!canSave || open.name.trim() === ''}>
            {text.library.save}
          </Button>
        )}
        {onDelete !== null && (
          <Button kind="quiet" icon="trash" label={text.library.deleteLabel(open.name)} onClick={onDelete} />
        )}
      </form>
      {open.isText ? (
        <CodeEditor
          identity={identity}
          label={words.name}
          value={open.now}
          language={language}
          faults={faults}
          onChange={(now) => onChange({ now })}
        />
      ) : (
        <p class="hint padded">{text.library.noText}</p>
      )}
    </>
  );
}
