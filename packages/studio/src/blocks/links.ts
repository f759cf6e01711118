import { toggleMark } from 'prosemirror-commands';
import type { Mark } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { schema } from './schema.ts';
import { attributeOf, withAttribute } from './tag.ts';

/** Links in a text. */

const { link } = schema.marks;

function markAt({ selection, doc }: EditorState): Mark | undefined {
  const { $from, from, to, empty } = selection;
  if (empty) return link.isInSet($from.marks());
  let found: Mark | undefined;
  doc.nodesBetween(from, to, ({ marks }) => {
    found ??= link.isInSet(marks);
  });
  return found;
}

/** Returns the address of the link at the cursor; null for none. */
export function linkAt(state: EditorState): string | null {
  const mark = markAt(state);
  return mark === undefined ? null : attributeOf(String(mark.attrs['open']), 'href');
}

/** Links what is selected, or changes the link at the cursor; without either, the address is inserted as a text. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const { from, to, empty, $from } = state.selection;
    const before = markAt(state);
    const mark = link.create({ open: withAttribute(String(before?.attrs['open'] ?? '<a>'), 'href', href) });
    if (!$from.parent.inlineContent) return false;
    const { tr } = state;
    if (!empty) tr.removeMark(from, to, link).addMark(from, to, mark);
    else if (before === undefined) tr.replaceSelectionWith(schema.text(href, [mark]), false);
    else
      $from.parent.forEach((node, offset) => {
        const start = $from.start() + offset;
        if (before.isInSet(node.marks)) tr.addMark(start, start + node.nodeSize, mark);
      });
    dispatch?.(tr);
    return true;
  };
}

export const removeLink: Command = toggleMark(link);
