import type { PdfFormAnswer } from '@platen/client';
import { useState } from 'preact/hooks';
import { type Document, pdfOperation } from '../api/render.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { FaultBox } from '../ui/empty.tsx';
import { useAttempt } from '../ui/use-attempt.ts';
import { type FormField, type FormValue, isFillable, shownOf, valueOf } from './form-fields.ts';
import { Result } from './result.tsx';

/** Shows the fields of a form with their values; the request contains the changed ones. */
export function FormFill({ file, form }: { file: File; form: PdfFormAnswer }) {
  const fields = form.fields.filter(isFillable);
  const [changed, setChanged] = useState<Readonly<Record<string, FormValue>>>({});
  const [flatten, setFlatten] = useState(false);
  const [made, setMade] = useState<Document | null>(null);
  const { busy, fault, attempt } = useAttempt();
  const isReady = !busy && (Object.keys(changed).length > 0 || flatten);
  const fill = (): Promise<boolean> =>
    attempt(async () => {
      const data = JSON.stringify(changed);
      setMade(await pdfOperation('form/fill', { file, data, flatten: String(flatten) }));
    });
  // It is inside the form that listed the fields, and Enter would submit that form again.
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (isReady) void fill();
  };
  if (fields.length === 0) return <p class="hint">{text.form.none}</p>;
  return (
    <section class="form-fill" aria-label={text.form.title} onKeyDown={onKey}>
      <div class="form-grid">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={shownOf(Object.hasOwn(changed, field.name) ? (changed[field.name] ?? null) : field.value)}
            onChange={(shown) => setChanged({ ...changed, [field.name]: valueOf(field, shown) })}
          />
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={flatten}
          onChange={(event) => setFlatten(event.currentTarget.checked)}
        />
        {text.form.flatten}
      </label>
      {fault !== null && <FaultBox message={fault} />}
      <div class="row actions">
        <Button kind="primary" busy={busy} disabled={!isReady} onClick={fill}>
          {text.form.fill}
        </Button>
        {made !== null && (
          <Button icon="download" onClick={() => download(made.blob, made.filename)}>
            {text.pdf.result(made.filename, made.blob.size)}
          </Button>
        )}
      </div>
      {made !== null && <Result document={made} />}
    </section>
  );
}

interface FieldProps {
  field: FormField;
  value: string;
  onChange: (shown: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const { name, kind, options, labels = options, required, multiline, max_length: maxLength } = field;
  const shared = {
    value,
    'aria-required': required,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (kind === 'checkbox' && options.length < 2) {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value !== '' && value !== 'false'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
        {name}
      </label>
    );
  }
  return (
    <label class="field">
      <span class="field-label">{name}</span>
      {kind !== 'text' && options.length > 0 ? (
        <select {...shared}>
          <option value="">{text.form.nothing}</option>
          {options.map((option, index) => (
            <option key={option} value={option}>
              {labels[index] ?? option}
            </option>
          ))}
        </select>
      ) : multiline === true ? (
        <textarea rows={3} {...shared} />
      ) : (
        <input
          type="text"
          autocomplete="off"
          {...(maxLength === undefined ? {} : { maxLength })}
          {...shared}
        />
      )}
    </label>
  );
}
