import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

const STEP = 2;
const LEAST = 15;
const MOST = 85;

interface SplitProps {
  label: string;
  axis: 'x' | 'y';
  /** The share of the first pane, in percent. */
  initial: number;
  first: ComponentChildren;
  second: ComponentChildren;
}

/** Returns two panes with a divider, or one of them if the other is `false`. */
export function beside(props: SplitProps): ComponentChildren {
  if (props.first === false) return props.second;
  return props.second === false ? props.first : <Split {...props} />;
}

/** Two panes with a divider that is dragged, or moved with the arrow keys. */
function Split({ label, axis, initial, first, second }: SplitProps) {
  const [share, setShare] = useState(initial);
  const box = useRef<HTMLDivElement>(null);
  const set = (value: number): void => setShare(Math.min(MOST, Math.max(LEAST, value)));
  const drag = (event: PointerEvent): void => {
    const rect = box.current?.getBoundingClientRect();
    if (rect === undefined || event.buttons === 0) return;
    set(
      axis === 'x'
        ? ((event.clientX - rect.left) / rect.width) * 100
        : ((event.clientY - rect.top) / rect.height) * 100,
    );
  };
  const keys = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  return (
    <div ref={box} class={`split ${axis}`} style={{ '--share': `${share}%` }}>
      <div class="split-first">{first}</div>
      <div
        class="split-line"
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
        aria-valuenow={Math.round(share)}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={(event) => {
          const at = keys.indexOf(event.key);
          if (at < 0) return;
          event.preventDefault();
          set(share + (at === 0 ? -STEP : STEP));
        }}
      />
      <div class="split-second">{second}</div>
    </div>
  );
}
