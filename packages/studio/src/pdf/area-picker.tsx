import { useRef, useState } from 'preact/hooks';
import type { ShownPage } from '../preview/pdf-view.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { FaultBox } from '../ui/empty.tsx';
import { Portal } from '../ui/portal.ts';
import { type Area, areaBetween, inCentimetres, moved } from './area.ts';
import { usePdf } from './use-pdf.ts';

interface AreaPickerProps {
  file: File;
  areas: readonly Area[];
  /** Most areas; drawing another one replaces the oldest. */
  most: number;
  onAreas: (areas: readonly Area[]) => void;
}

/** The position of a new box by keyboard, in shares of the page. */
const BEGIN = { from: { x: 0.1, y: 0.1 }, to: { x: 0.4, y: 0.15 } };
/** Centimetres that one press of an arrow key moves. */
const STEP = 0.1;

/** Shows the pages of a file. Boxes are drawn on them with the mouse, and moved with the arrow keys. */
export function AreaPicker({ file, areas, most, onAreas }: AreaPickerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [inSight, setInSight] = useState(1);
  const { pages, fault } = usePdf(box, file, setInSight);

  const add = (area: Area | null): void => {
    if (area !== null) onAreas([...areas, area].slice(-most));
  };
  const page = pages[inSight - 1];
  return (
    <>
      {fault !== null && <FaultBox message={fault} />}
      <div class="row area-bar">
        <span class="hint">{most === 1 ? text.areas.drawOne : text.areas.draw}</span>
        <span class="space" />
        <Button
          icon="plus"
          disabled={page === undefined}
          onClick={() => page !== undefined && add(areaBetween(page, BEGIN.from, BEGIN.to))}
        >
          {text.areas.add}
        </Button>
        <Button kind="quiet" disabled={areas.length === 0} onClick={() => onAreas([])}>
          {text.areas.clear}
        </Button>
      </div>
      <div ref={box} class="pdf-box result" tabIndex={0} role="document" aria-label={file.name} />
      {pages.map((shown) => (
        <Portal key={shown.number} into={shown.element}>
          <PageAreas
            page={shown}
            areas={areas}
            isSingle={most === 1}
            onDrawn={add}
            onChange={(index, next) =>
              onAreas(areas.flatMap((area, at) => (at === index ? (next ?? []) : [area])))
            }
          />
        </Portal>
      ))}
    </>
  );
}

interface PageAreasProps {
  page: ShownPage;
  areas: readonly Area[];
  /** Whether only one box is drawn, as the place for an object. */
  isSingle: boolean;
  onDrawn: (area: Area | null) => void;
  /** null removes the box. */
  onChange: (index: number, area: Area | null) => void;
}

interface Place {
  x: number;
  y: number;
}

function PageAreas({ page, areas, isSingle, onDrawn, onChange }: PageAreasProps) {
  const [from, setFrom] = useState<Place | null>(null);
  const [to, setTo] = useState<Place | null>(null);
  const placeOf = (event: PointerEvent): Place => {
    const { left, top, width, height } = page.element.getBoundingClientRect();
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
  };
  const drawn = from === null || to === null ? null : areaBetween(page, from, to);
  const onKey = (event: KeyboardEvent, index: number, area: Area): void => {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ] ?? [0, 0];
    const isDelete = event.key === 'Delete' || event.key === 'Backspace';
    if (dx === 0 && dy === 0 && !isDelete) return;
    event.preventDefault();
    onChange(index, isDelete ? null : moved(area, (dx ?? 0) * STEP, (dy ?? 0) * STEP, event.shiftKey));
  };
  return (
    <div
      class={isSingle ? 'area-layer single' : 'area-layer'}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.target !== event.currentTarget) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(placeOf(event));
        setTo(null);
      }}
      onPointerMove={(event) => from !== null && setTo(placeOf(event))}
      onPointerUp={(event) => {
        if (from !== null) onDrawn(areaBetween(page, from, placeOf(event)));
        setFrom(null);
      }}
      onPointerCancel={() => setFrom(null)}
    >
      {areas.map(
        (area, index) =>
          area.page === page.number && (
            <button
              key={index}
              type="button"
              class="area"
              style={styleOf(area, page)}
              aria-label={text.areas.label(index + 1, area.page)}
              title={text.areas.keys}
              onKeyDown={(event) => onKey(event, index, area)}
              onDblClick={() => onChange(index, null)}
            />
          ),
      )}
      {drawn !== null && <span class="area drawn" style={styleOf(drawn, page)} />}
    </div>
  );
}

function styleOf({ x, y, w, h }: Area, page: ShownPage): Record<string, string> {
  const across = (value: number): string => `${(value / inCentimetres(page.width)) * 100}%`;
  const down = (value: number): string => `${(value / inCentimetres(page.height)) * 100}%`;
  return { left: across(x), top: down(y), width: across(w), height: down(h) };
}
