import { toggleMark } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { MarkType } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { NodeSelection } from 'prosemirror-state';
import { blocks as text } from '../text/blocks.ts';
import { Button } from '../ui/button.tsx';
import { Choices } from '../ui/choices.tsx';
import type { IconName } from '../ui/icon.tsx';
import {
  changeTable,
  duplicate,
  move,
  pathOf,
  remove,
  styled,
  type TableChange,
  unitOf,
  unwrap,
} from './commands.ts';
import type { Question } from './questions.tsx';
import { linkAt, removeLink } from './links.ts';
import { schema } from './schema.ts';
import { tagName } from './tag.ts';

interface ToolbarProps {
  state: EditorState;
  run: (command: Command) => void;
  ask: (question: Question) => void;
}

const { marks, nodes } = schema;

/** What is done with the text and the blocks that are selected. */
export function Toolbar({ state, run, ask }: ToolbarProps) {
  const isPossible = (command: Command): boolean => command(state);
  const act = (icon: IconName, label: string, command: Command) => (
    <Button
      kind="quiet"
      icon={icon}
      label={label}
      disabled={!isPossible(command)}
      onClick={() => run(command)}
    />
  );
  const mark = (type: MarkType, label: string, sign: string) => (
    <Button
      kind="quiet"
      label={label}
      pressed={hasMark(state, type)}
      disabled={!isPossible(toggleMark(type))}
      onClick={() => run(toggleMark(type))}
    >
      <span class={`sign ${type.name}`}>{sign}</span>
    </Button>
  );
  const isLink = linkAt(state) !== null;
  return (
    // Pressing a button leaves the cursor where it is.
    <div class="blocks-bar" role="group" aria-label={text.tools} onMouseDown={keepFocus}>
      <Button kind="primary" icon="plus" onClick={() => ask('add')}>
        {text.add}
      </Button>
      <Button icon="field" onClick={() => ask('field')}>
        {text.field}
      </Button>
      <Style state={state} run={run} />
      <span class="row">
        {mark(marks.strong, text.bold, 'B')}
        {mark(marks.em, text.italic, 'I')}
        {mark(marks.underline, text.underline, 'U')}
        <Button
          kind="quiet"
          icon="link"
          label={text.link}
          pressed={isLink}
          disabled={!state.selection.$from.parent.inlineContent}
          onClick={() => (isLink && !state.selection.empty ? run(removeLink) : ask('link'))}
        />
      </span>
      <span class="row">
        {act('undo', text.undo, undo)}
        {act('redo', text.redo, redo)}
      </span>
    </div>
  );
}

/** What is selected, and what is done with it as a whole. */
export function UnitBar({ state, run, ask }: ToolbarProps) {
  const unit = unitOf(state);
  const path = pathOf(state);
  const isInTable = path.some(({ node }) => node.type === nodes.row);
  const selected = state.selection instanceof NodeSelection ? state.selection.from : null;
  const condition = path.find(
    ({ node, at }) => node.type.spec['isHolder'] === true && 'close' in node.attrs && at === selected,
  );
  const act = (icon: IconName, label: string, command: Command) => (
    <Button kind="quiet" icon={icon} label={label} disabled={!command(state)} onClick={() => run(command)} />
  );
  const table = (change: TableChange) => (
    <Button kind="quiet" onClick={() => run(changeTable(change))}>
      {text[change]}
    </Button>
  );
  return (
    <div class="blocks-bar unit" role="group" aria-label={text.path} onMouseDown={keepFocus}>
      <ol class="blocks-path">
        {path.map(({ node, at }) => (
          <li key={at}>
            <button
              type="button"
              class="segment"
              aria-pressed={selected === null ? unit?.at === at : selected === at}
              onClick={() =>
                run((now, dispatch) => {
                  dispatch?.(now.tr.setSelection(NodeSelection.create(now.doc, at)));
                  return true;
                })
              }
            >
              {nameOf(node.type.name, String(node.attrs['open'] ?? ''))}
            </button>
          </li>
        ))}
      </ol>
      {unit !== null && (
        <>
          <span class="row">
            {act('up', text.up, move(-1))}
            {act('down', text.down, move(1))}
            {act('copy', text.duplicate, duplicate)}
            {act('trash', text.remove, remove)}
          </span>
          <span class="row">
            <Button kind="quiet" onClick={() => ask('repeat')}>
              {text.repeat}
            </Button>
            <Button kind="quiet" onClick={() => ask('condition')}>
              {text.condition}
            </Button>
            {condition !== undefined && (
              <Button kind="quiet" onClick={() => run(unwrap(condition.at))}>
                {text.unwrap}
              </Button>
            )}
          </span>
          {isInTable && (
            <span class="row">
              {table('addRow')}
              {table('addColumn')}
              {table('removeColumn')}
            </span>
          )}
        </>
      )}
    </div>
  );
}

function Style({ state, run }: Pick<ToolbarProps, 'state' | 'run'>) {
  const { parent } = state.selection.$from;
  const name = tagName(String(parent.attrs['open'] ?? ''));
  const shown = name in text.styles ? name : 'p';
  return (
    <select
      aria-label={text.style}
      value={shown}
      disabled={parent.type !== nodes.paragraph}
      onMouseDown={(event) => event.stopPropagation()}
      onChange={(event) => run(styled(event.currentTarget.value))}
    >
      <Choices of={text.styles} />
    </select>
  );
}

function hasMark({ selection, doc, storedMarks }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

/** Returns what a node is called. */
function nameOf(type: string, open: string): string {
  if (type === 'paragraph' && /^h[1-6]$/.test(tagName(open))) return text.names.heading;
  const [, kind = type] = /_(jinja|code)$/.exec(type) ?? [];
  if (kind === 'jinja' && /^\{%[-+]?\s*for\b/.test(open)) return text.repeat;
  return text.names[kind as keyof typeof text.names];
}

function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
