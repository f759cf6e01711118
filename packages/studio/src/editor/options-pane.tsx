import { useState } from 'preact/hooks';
import { callJson } from '../api/client.ts';
import type { Schema } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { useLoad } from '../ui/use-load.ts';
import type { EditorModel } from './model.ts';
import { type OptionField, optionFields, REMOVABLE, shownValue, wordsOf } from './options.ts';

let contract: Promise<OptionField[]> | undefined;

/** Shows the options of templates, as the contract describes them. */
function loadFields(): Promise<OptionField[]> {
  contract ??= callJson<{ components: { schemas: Record<string, Schema> } }>('GET', 'openapi.json').then(
    ({ components }) => optionFields(components.schemas['TemplateChange'] ?? {}),
    (error: unknown) => {
      contract = undefined;
      throw error;
    },
  );
  return contract;
}

export function OptionsPane({ model }: { model: EditorModel }) {
  const { value: fields, fault } = useLoad(loadFields);
  if (fault !== null) return <FaultBox message={fault} />;
  if (fields === null) return <Loading label={text.loading} />;
  return (
    <form class="scroll options" onSubmit={(event) => event.preventDefault()}>
      {fields.map((field) => (
        <Option
          key={field.name}
          field={field}
          value={model.options.value[field.name]}
          onChange={(value) => model.setOption(field.name, value)}
        />
      ))}
    </form>
  );
}

interface OptionProps {
  field: OptionField;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Option({ field, value, onChange }: OptionProps) {
  const { name, label, description } = field;
  const id = `option-${name}`;
  const removable = REMOVABLE.has(name) && value !== undefined;
  return (
    <div class={`option ${field.kind}`}>
      <label for={id}>{label}</label>
      <span class="row">
        <Control id={id} field={field} value={value} onChange={onChange} />
        {removable && (
          <Button
            kind="quiet"
            icon="close"
            label={text.options.reset(label)}
            onClick={() => onChange(undefined)}
          />
        )}
      </span>
      <p id={`${id}-hint`} class="hint">
        {description}
      </p>
    </div>
  );
}

function Control({ id, field, value, onChange }: OptionProps & { id: string }) {
  const described = { id, 'aria-describedby': `${id}-hint` };
  switch (field.kind) {
    case 'flag':
      if (REMOVABLE.has(field.name)) {
        return (
          <select
            {...described}
            value={shownValue(value)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.value === '' ? undefined : currentTarget.value === 'true')
            }
          >
            <option value="">{text.options.unset}</option>
            <option value="true">{text.options.yes}</option>
            <option value="false">{text.options.no}</option>
          </select>
        );
      }
      return (
        <input
          {...described}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...described}
          value={shownValue(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {value === undefined && <option value="">{text.options.unset}</option>}
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          {...described}
          type="number"
          step="0.1"
          {...(field.minimum === undefined ? {} : { min: field.minimum })}
          {...(field.maximum === undefined ? {} : { max: field.maximum })}
          value={shownValue(value)}
          onInput={({ currentTarget }) => {
            if (currentTarget.value !== '' && currentTarget.validity.valid)
              onChange(currentTarget.valueAsNumber);
          }}
        />
      );
    case 'words':
      return <Words described={described} value={value} onChange={onChange} />;
    case 'text':
      return (
        <input
          {...described}
          type="text"
          value={shownValue(value)}
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }
        />
      );
  }
}

interface WordsProps {
  described: { id: string; 'aria-describedby': string };
  value: unknown;
  onChange: (words: string[]) => void;
}

/** An input for a comma-separated list of words; the text stays as typed. */
function Words({ described, value, onChange }: WordsProps) {
  const [list, setList] = useState(Array.isArray(value) ? value.join(', ') : '');
  return (
    <input
      {...described}
      type="text"
      placeholder={text.options.words}
      value={list}
      onInput={({ currentTarget }) => {
        setList(currentTarget.value);
        onChange(wordsOf(currentTarget.value));
      }}
    />
  );
}
