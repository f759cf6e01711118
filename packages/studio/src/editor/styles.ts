/** Stylesheets of a template in the editor. */

export interface StyleText {
  /** null if it is not stored yet. */
  id: string | null;
  filename: string;
  css: string;
}

function isSame(one: StyleText | undefined, other: StyleText | undefined): boolean {
  return one?.id === other?.id && one?.filename === other?.filename && one?.css === other?.css;
}

export type StyleStep = { do: 'delete'; id: string } | { do: 'add'; style: StyleText };

/**
 * Returns the steps that change stylesheets. They apply in the order in which they were added: from the first
 * difference on, all are added again.
 */
export function styleSteps(before: readonly StyleText[], now: readonly StyleText[]): StyleStep[] {
  const kept = now.filter(({ css }) => css.trim() !== '');
  let same = 0;
  while (same < before.length && same < kept.length && isSame(before[same], kept[same])) same++;
  const removed = before
    .slice(same)
    .flatMap(({ id }): StyleStep[] => (id === null ? [] : [{ do: 'delete', id }]));
  return [...removed, ...kept.slice(same).map((style): StyleStep => ({ do: 'add', style }))];
}
