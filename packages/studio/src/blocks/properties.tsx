import { type Command, type EditorState, NodeSelection } from 'prosemirror-state';
import type { Node } from 'prosemirror-model';
import { useEffect, useState } from 'preact/hooks';
import { blocks as text } from '../text/blocks.ts';
import { Choices } from '../ui/choices.tsx';
import { expressionOf, kindOf } from './kinds.ts';
import { scan } from './scan.ts';
import { attributeOf, withAttribute } from './tag.ts';

interface PropertiesProps {
  state: EditorState;
  run: (command: Command) => void;
}

/** Settings of a single field, image, condition or group that is selected. */
export function Properties({ state, run }: PropertiesProps) {
  const { selection } = state;
  if (!(selection instanceof NodeSelection)) return null;
  const { node, from } = selection;
  const set =
    (name: 'code' | 'open') =>
    (value: string): void =>
      run(({ tr }, dispatch) => {
        tr.setNodeMarkup(from, null, { ...node.attrs, [name]: value });
        dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)));
        return true;
      });
  const content = settings(node, set('code'), set('open'));
  return content === null ? null : <div class="blocks-bar unit">{content}</div>;
}

function settings(node: Node, setCode: (code: string) => void, setOpen: (open: string) => void) {
  const code = node.attrs['code'] as string | undefined;
  const open = node.attrs['open'] as string | undefined;
  if (code === undefined) {
    if (open === undefined || open === '') return null;
    return <Line label={text.source} value={open} accept={(next) => isLike(next, open)} onChange={setOpen} />;
  }
  switch (kindOf(code).name) {
    case 'field':
    case 'barcode':
      return <Field expression={expressionOf(code)} onChange={(next) => setCode(`{{ ${next} }}`)} />;
    case 'image':
      return (
        <>
          <Line
            label={text.alt}
            value={attributeOf(code, 'alt') ?? ''}
            accept={() => true}
            onChange={(alt) => setCode(withAttribute(code, 'alt', alt))}
          />
          <Line
            label={text.width}
            value={/(?:^|;\s*)width:\s*([^;]+)/.exec(attributeOf(code, 'style') ?? '')?.[1] ?? ''}
            accept={(width) => /^$|^\d+(?:\.\d+)?(?:mm|cm|in|pt|px|%)$/.test(width)}
            onChange={(width) =>
              setCode(withAttribute(code, 'style', width === '' ? null : `width: ${width}`))
            }
          />
        </>
      );
    default:
      return (
        <Line label={text.source} value={code} accept={(next) => isLike(next, code)} onChange={setCode} />
      );
  }
}

/** A field by its expression, and how its value is shown. */
function Field({ expression, onChange }: { expression: string; onChange: (expression: string) => void }) {
  const format =
    Object.keys(text.formats).find((name) => name !== '' && expression.endsWith(`| ${name}`)) ?? '';
  const path = format === '' ? expression : expression.slice(0, -format.length - 2).trim();
  const isSimple = format !== '' || !expression.includes('|');
  return (
    <>
      <Line
        label={text.field}
        value={path}
        accept={(next) => isLike(`{{ ${next} }}`, '{{ a }}')}
        onChange={(next) => onChange(format === '' ? next : `${next} | ${format}`)}
      />
      {isSimple && (
        <label class="field">
          <span class="field-label">{text.format}</span>
          <select
            value={format}
            onChange={({ currentTarget: { value } }) => onChange(value === '' ? path : `${path} | ${value}`)}
          >
            <Choices of={text.formats} />
          </select>
        </label>
      )}
    </>
  );
}

/** Returns whether a text is one piece of the same kind as another: code that is half written is not taken. */
function isLike(text_: string, other: string): boolean {
  const [one, more] = scan(text_);
  const [like] = scan(other);
  return more === undefined && one?.kind === like?.kind && one?.name === like?.name;
}

interface LineProps {
  label: string;
  value: string;
  accept: (value: string) => boolean;
  onChange: (value: string) => void;
}

/** A line that takes effect when it is left, or with Enter. */
function Line({ label, value, accept, onChange }: LineProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const isGood = accept(typed.trim());
  const take = (): void => {
    if (typed !== value && isGood) onChange(typed.trim());
  };
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      <input
        value={typed}
        spellcheck={false}
        aria-invalid={!isGood}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
        }}
      />
    </label>
  );
}
