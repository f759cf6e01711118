import type { NewField } from '@platen/pdf/forms';
import type { Control } from '../form-controls.ts';
import type { ControlMark } from './control-marks.ts';

/** A control of a document as a field of its PDF. */

/** Space that fields leave to the left and right of text, and above lines, in points. */
const [BESIDE, ABOVE] = [2, 1];

type Box = NonNullable<ControlMark['box']>;

/**
 * Returns the rectangle of a field, whose text is where the browser would show it: the content of the control, with
 * the space that fields leave around text.
 *
 * @param box border box of the control in points
 * @param unit points of its CSS pixel
 */
export function shownBox({ kind, border, padding, isMultiline }: Control, box: Box, unit: number): Box {
  if (kind === 'checkbox' || kind === 'radio') return box;
  const room = (side: 'left' | 'right' | 'top' | 'bottom', space: number): number =>
    Math.max(0, (border[side] + padding[side]) * unit - space);
  // A line is centred.
  const around = Math.min(padding.top, padding.bottom) * unit;
  const [above, below] = isMultiline || kind === 'list' ? [ABOVE, padding.bottom * unit] : [around, around];
  const inner = {
    left: box.left + room('left', BESIDE),
    right: box.right - room('right', BESIDE),
    top: box.top - room('top', above),
    bottom: box.bottom + room('bottom', below),
  };
  return inner.left < inner.right && inner.bottom < inner.top ? inner : box;
}

/** Where and how a field is shown. */
interface Shown {
  unit: number;
  widgets: NewField['widgets'];
  /** Whether backgrounds are not printed. */
  isOnWhite: boolean;
}

/** Returns the field of a control. @param number of the control */
export function newField(control: Control, number: number, { unit, widgets, isOnWhite }: Shown): NewField {
  const { kind, name, value, options, isMultiple, isOn, label, legend, alignment } = control;
  const chosen = options.filter(({ isChosen }) => isChosen);
  const longest = control.maxLength !== null && [...value].length > control.maxLength;
  return {
    kind,
    name: name.trim() || `field ${number + 1}`,
    // Radio buttons of a name are one field of their form; without a name, each is its own.
    group: kind === 'radio' && name !== '' ? `${control.form} ${name}` : String(number),
    description: label,
    groupDescription: legend,
    value: kind === 'checkbox' || kind === 'radio' ? value : normal(value),
    isOn,
    options: options.map(({ value: written, label: shown }) => ({ value: written, label: shown })),
    chosen: chosen.map(({ value: written }) => written),
    isMultiple,
    isMultiline: control.isMultiline,
    isPassword: control.isPassword,
    maxLength: longest ? null : control.maxLength,
    isReadOnly: control.isReadOnly,
    isRequired: control.isRequired,
    font: fontOf(control),
    size: control.fontSize * unit,
    colour: isOnWhite ? onWhite(control.colour) : control.colour,
    edge: control.edge,
    edgeWidth: unit,
    alignment: ALIGNMENTS[alignment],
    widgets,
  };
}

const ALIGNMENTS = { left: 0, center: 1, right: 2 } as const;

function normal(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** The standard font (ISO 32000-1, 9.6.2.2) that is most like that of a control. */
function fontOf({ fontFamily, isBold, isItalic }: Control): string {
  const style = (bold: string, italic: string): string =>
    isBold || isItalic ? `-${isBold ? bold : ''}${isItalic ? italic : ''}` : '';
  if (/mono|courier|cousine|consol/i.test(fontFamily)) return `Courier${style('Bold', 'Oblique')}`;
  if (/(?:^|[^-])serif|times|tinos|georgia|garamond|cambria/i.test(fontFamily.replaceAll('sans-serif', '')))
    return `Times${style('Bold', 'Italic') || '-Roman'}`;
  return `Helvetica${style('Bold', 'Oblique')}`;
}

type Colour = NewField['colour'];

/** The squared distance from white below which a browser prints text in black if it prints no backgrounds. */
const TOO_LIGHT = 255 * 255;

function onWhite(colour: Colour): Colour {
  const distance = colour.reduce((sum, channel) => sum + (255 - channel) ** 2, 0);
  return distance > TOO_LIGHT ? colour : [0, 0, 0];
}
