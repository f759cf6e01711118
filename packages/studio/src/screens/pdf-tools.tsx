import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { type Document, pdfOperation, pdfQuestion } from '../api/render.ts';
import type { Json } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { DropZone } from '../ui/drop.tsx';
import { FaultBox } from '../ui/empty.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { formOf, type Tool, type ToolField, TOOLS } from './pdf-operations.ts';

/** What is done to PDFs that are there. */
export function PdfTools() {
  const [name, setName] = useState<Tool['operation']>('merge');
  const tool = TOOLS.find(({ operation }) => operation === name);
  const [files, setFiles] = useState<readonly File[]>([]);
  return (
    <div class="screen narrow">
      <header class="screen-head">
        <h1>{text.pdf.title}</h1>
      </header>
      <div class="card">
        <Tabs
          id="tools"
          label={text.pdf.title}
          tabs={TOOLS.map(({ operation }) => ({
            name: operation,
            label: text.tools.operations[operation].title,
          }))}
          selected={name}
          onSelect={setName}
        />
        <TabPanel id="tools" selected={name}>
          {tool !== undefined && (
            <ToolForm key={tool.operation} tool={tool} files={files} onFiles={setFiles} />
          )}
        </TabPanel>
      </div>
    </div>
  );
}

interface ToolFormProps {
  tool: Tool;
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
}

function ToolForm({ tool, files, onFiles }: ToolFormProps) {
  const [values, setValues] = useState(
    Object.fromEntries(tool.fields.map(({ name, initial }) => [name, initial])),
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [made, setMade] = useState<Document | null>(null);
  const [said, setSaid] = useState<Json>(null);
  const many = tool.many === true;
  const words = text.tools.operations[tool.operation];
  const [first] = files;
  const isComplete = many ? files.length > 1 : first !== undefined;

  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isComplete || first === undefined) return;
    setBusy(true);
    setFault(null);
    setMade(null);
    setSaid(null);
    try {
      const fields = formOf(tool, values);
      if (tool.asks === true) setSaid(await pdfQuestion<Json>(tool.operation, first, fields));
      else {
        const sent = many
          ? Object.fromEntries(files.map((file, index) => [`file${index + 1}`, file]))
          : { file: first };
        setMade(await pdfOperation(tool.operation, { ...fields, ...sent }));
      }
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };

  return (
    <form class="panel" onSubmit={(event) => void run(event)}>
      <p class="hint">{words.lead}</p>
      <DropZone
        label={many ? text.pdf.dropMany : text.pdf.drop}
        accept=".pdf"
        many={many}
        small
        onFiles={(next) => onFiles(many ? [...files, ...next] : next)}
      />
      <FileList files={many ? files : files.slice(0, 1)} onFiles={onFiles} />
      {tool.fields.length > 0 && (
        <div class="form-grid">
          {tool.fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onChange={(value) => setValues({ ...values, [field.name]: value })}
            />
          ))}
        </div>
      )}
      {fault !== null && <FaultBox message={fault} />}
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={!isComplete}>
          {words.action}
        </Button>
        {made !== null && (
          <Button icon="download" onClick={() => download(made.blob, made.filename)}>
            {text.pdf.result(made.filename, made.blob.size)}
          </Button>
        )}
      </div>
      {made !== null && made.blob.type === 'application/pdf' && <Result document={made} />}
      {said !== null && (
        <pre class="code tall" tabIndex={0} aria-label={words.title}>
          {JSON.stringify(said, null, 2)}
        </pre>
      )}
    </form>
  );
}

/** What an input of each kind is, without its value. */
const INPUTS = {
  text: { type: 'text', autocomplete: 'off' },
  number: { type: 'number', step: 'any' },
  password: { type: 'password', autocomplete: 'new-password' },
  colour: { type: 'color' },
} as const;

function Field({
  field,
  value,
  onChange,
}: {
  field: ToolField;
  value: string;
  onChange: (value: string) => void;
}) {
  const { name, kind, choices = [], hint, required } = field;
  return (
    <label class="field">
      <span class="field-label">{text.tools.fields[name]}</span>
      {kind === 'choice' ? (
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          {...INPUTS[kind]}
          required={required === true}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
}

/** Files in their order, which buttons and dragging change. */
function FileList({ files, onFiles }: { files: readonly File[]; onFiles: (files: readonly File[]) => void }) {
  const dragged = useRef<number | null>(null);
  const move = (from: number, to: number): void => {
    const next = [...files];
    const [file] = next.splice(from, 1);
    if (file !== undefined) next.splice(to, 0, file);
    onFiles(next);
  };
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

/** The pages of what was made. */
function Result({ document: made }: { document: Document }) {
  const box = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let close: (() => Promise<void>) | undefined;
    let gone = false;
    const show = async (): Promise<void> => {
      const { PdfView } = await import('../preview/pdf-view.ts');
      if (gone) return;
      const view = new PdfView(element, { shown: () => undefined, pageInSight: () => undefined });
      close = () => view.close();
      await view.show(await made.blob.arrayBuffer());
    };
    // An encrypted file is not opened here: it is there to be downloaded.
    show().catch((error: unknown) => !gone && setFault(messageOf(error)));
    return () => {
      gone = true;
      void close?.();
    };
  }, [made]);
  if (fault !== null) return <p class="hint">{text.pdf.notShown}</p>;
  return <div ref={box} class="pdf-box result" tabIndex={0} role="document" aria-label={text.pdf.pages} />;
}
