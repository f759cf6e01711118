import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';
import type { Step } from './steps.ts';

/** LibreOffice's own watermarks, the fields `nativeWatermark…`: a text over each page, as a step. */

/** LibreOffice's light green. */
const COLOR = 0x7f_ff_7f;
const OPACITY = 0.5;
/** Tenths of a degree. */
const ANGLE = 450;

/** @throws RequestError */
export function nativeWatermark(form: Form): Step[] {
  const text = form.text('nativeWatermarkText');
  if (text === undefined) return [];
  const color = form.number('nativeWatermarkColor') ?? COLOR;
  if (!Number.isInteger(color) || color < 0 || color > 0xff_ff_ff)
    throw new RequestError(400, 'nativeWatermarkColor must be an integer from 0 to 16777215');
  const size = form.number('nativeWatermarkFontHeight') ?? 0;
  const angle = (form.number('nativeWatermarkRotateAngle') ?? ANGLE) / 10;
  return [
    {
      stamp: {
        text,
        color: `#${color.toString(16).padStart(6, '0')}`,
        opacity: OPACITY,
        angle,
        ...(size > 0 ? { size } : {}),
      },
    },
  ];
}
