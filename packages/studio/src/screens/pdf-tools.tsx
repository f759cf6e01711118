import type { PdfFormAnswer } from '@platen/client';
import { useState } from 'preact/hooks';
import { type Document, pdfOperation, pdfQuestion } from '../api/render.ts';
import type { Json } from '../api/types.ts';
import { AreaPicker } from '../pdf/area-picker.tsx';
import type { Area } from '../pdf/area.ts';
import { FileList } from '../pdf/file-list.tsx';
import { FormFill } from '../pdf/form-fill.tsx';
import { PageGrid } from '../pdf/page-grid.tsx';
import { type ArrangedPage, stepsFor } from '../pdf/page-order.ts';
import { Result } from '../pdf/result.tsx';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { DropZone } from '../ui/drop.tsx';
import { FaultBox } from '../ui/empty.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { useAttempt } from '../ui/use-attempt.ts';
import { formOf, type Tool, type ToolField, TOOLS } from './pdf-operations.ts';

/** Shows the tools for existing PDFs. */
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

/** The result of a tool: a document, or a description. */
type Outcome = { made: Document } | { said: Json; of: File };

/** The state of a tool: its progress and its result. */
function useWork(tool: Tool) {
  const { busy, fault, attempt } = useAttempt();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const run = (files: readonly File[], fields: Record<string, string>): Promise<boolean> => {
    setOutcome(null);
    return attempt(async () => setOutcome(await done(tool, files, fields)));
  };
  return { busy, fault, outcome, run };
}

async function done(tool: Tool, files: readonly File[], fields: Record<string, string>): Promise<Outcome> {
  const [first] = files;
  if (first === undefined) throw new Error(text.pdf.drop);
  if (tool.asks === true) return { said: await pdfQuestion<Json>(tool.operation, first, fields), of: first };
  const sent =
    tool.many === true
      ? Object.fromEntries(files.map((file, index) => [`file${index + 1}`, file]))
      : { file: first };
  return { made: await pdfOperation(tool.operation, { ...fields, ...sent }) };
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
  const [areas, setAreas] = useState<readonly Area[]>([]);
  const [pages, setPages] = useState<readonly ArrangedPage[]>([]);
  const { busy, fault, outcome, run } = useWork(tool);
  const many = tool.many === true;
  const words = text.tools.operations[tool.operation];
  const [first] = files;
  const isComplete =
    tool.arranges === true ? pages.length > 0 : many ? files.length > 1 : first !== undefined;

  const submit = (event: Event): void => {
    event.preventDefault();
    const steps = tool.arranges === true ? { steps: JSON.stringify(stepsFor(pages)) } : {};
    if (isComplete) void run(files, { ...formOf(tool, values, areas), ...steps });
  };
  const take = (next: readonly File[]): void => {
    setAreas([]);
    onFiles(next);
  };

  return (
    <form class="panel" onSubmit={submit}>
      <p class="hint">{words.lead}</p>
      <DropZone
        label={many ? text.pdf.dropMany : text.pdf.drop}
        accept=".pdf"
        many={many}
        small
        onFiles={(next) => take(many ? [...files, ...next] : next)}
      />
      <FileList files={many ? files : files.slice(0, 1)} onFiles={take} />
      {tool.arranges === true && files.length > 0 && (
        <PageGrid files={files} pages={pages} onPages={setPages} />
      )}
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
      {tool.areas !== undefined && first !== undefined && (
        <AreaPicker file={first} areas={areas} most={tool.areas} onAreas={setAreas} />
      )}
      {fault !== null && <FaultBox message={fault} />}
      <div class="row actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!isComplete}>
          {words.action}
        </Button>
        {outcome !== null && 'made' in outcome && (
          <Button icon="download" onClick={() => download(outcome.made.blob, outcome.made.filename)}>
            {text.pdf.result(outcome.made.filename, outcome.made.blob.size)}
          </Button>
        )}
      </div>
      {outcome !== null && 'made' in outcome && outcome.made.blob.type === 'application/pdf' && (
        <Result document={outcome.made} />
      )}
      {outcome !== null && 'said' in outcome && (
        <section class="said" aria-label={words.title}>
          {tool.operation === 'form' && (
            <FormFill file={outcome.of} form={outcome.said as unknown as PdfFormAnswer} />
          )}
          <JsonView value={outcome.said} />
        </section>
      )}
    </form>
  );
}

/** Returns the attributes of an input of each kind, without its value. */
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
