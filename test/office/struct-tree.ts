/** What a tagged PDF says of its structure, as `pdfinfo -struct-text` tells it. */

/** An element of the tree, or a text in it. */
export interface Tagged {
  /** `P`, `LI`, `TD` …; `''` for a text. */
  type: string;
  text: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly Tagged[];
}

interface Open extends Tagged {
  attributes: Record<string, string>;
  children: Open[];
}

/** @param told the output of `pdfinfo -struct-text` */
export function readTree(told: string): Tagged {
  const root: Open = { type: 'Root', text: '', attributes: {}, children: [] };
  const open: { indent: number; element: Open }[] = [{ indent: -1, element: root }];
  for (const line of joinedTexts(told)) {
    const indent = line.search(/\S/);
    if (indent === -1) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.element ?? root;
    const attribute = /^ *\/(\w+) (.*)$/.exec(line);
    const text = /^ *"([^]*)"$/.exec(line);
    if (attribute) parent.attributes[attribute[1] ?? ''] = attribute[2] ?? '';
    else if (text) parent.children.push({ type: '', text: text[1] ?? '', attributes: {}, children: [] });
    else {
      const [type = ''] = line.trim().split(/[ :(<]/);
      const element: Open = { type, text: '', attributes: {}, children: [] };
      parent.children.push(element);
      open.push({ indent, element });
    }
  }
  return root;
}

/** Lines, each with the whole of its text: a text may have ends of lines in it. */
function joinedTexts(told: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of told.split('\n')) {
    if (isOpen) lines.push(`${lines.pop() ?? ''}\n${line}`);
    else lines.push(line);
    const whole = lines.at(-1) ?? '';
    isOpen = /^ *"/.test(whole) && !/^ *"[^]*"$/.test(whole);
  }
  return lines;
}

/** All of the texts in an element, in their order. */
export function textOf({ type, text, children }: Tagged): string {
  return type === '' ? text : children.map(textOf).join('');
}
