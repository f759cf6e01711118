import type { ComponentChildren } from 'preact';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  /** A number beside the label, for example of problems. */
  count?: number;
  fault?: boolean;
  /** Whether it differs from the stored state. */
  changed?: boolean;
}

/** A list of tabs in which the arrow keys move the focus, as WAI-ARIA describes. The panel has the id `<id>-panel`. */
export function Tabs<Name extends string>({
  id,
  label,
  tabs,
  selected,
  onSelect,
}: {
  id: string;
  label: string;
  tabs: readonly Tab<Name>[];
  selected: Name;
  onSelect: (name: Name) => void;
}) {
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ name }) => name === selected);
    const last = tabs.length - 1;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs[next < 0 ? last : next > last ? 0 : next];
    if (tab === undefined) return;
    onSelect(tab.name);
    document.getElementById(`${id}-${tab.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, label: tabLabel, count, fault, changed }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          class="tab"
          aria-selected={name === selected}
          aria-controls={`${id}-panel`}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {tabLabel}
          {changed === true && <span class="changed-dot" aria-hidden="true" />}
          {count !== undefined && count > 0 && (
            <span class={fault === true ? 'count fault' : 'count'}>{count}</span>
          )}
        </button>
      ))}
    </div>
  );
}

export function TabPanel({
  id,
  selected,
  children,
}: {
  id: string;
  selected: string;
  children: ComponentChildren;
}) {
  return (
    <div id={`${id}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${selected}`}>
      {children}
    </div>
  );
}
