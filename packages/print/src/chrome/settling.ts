import { SETTLE } from '../page-scripts/settle.ts';
import type { DocumentFacts } from '../page/document.ts';

/**
 * Statements that give canvases the colour behind them as an image of that colour: when it prints, Chromium omits
 * the background colour of a canvas without border and padding, since the canvas covers it, and its transparent
 * parts are then empty.
 */
const CANVASES = `
  for (const canvas of document.querySelectorAll('canvas')) {
    const { backgroundColor: colour, backgroundImage } = getComputedStyle(canvas);
    if (backgroundImage === 'none' && colour !== 'rgba(0, 0, 0, 0)')
      canvas.style.setProperty('background-image', 'linear-gradient(' + colour + ',' + colour + ')', 'important');
  }`;

/** Returns statements that wait for late resources of a loaded document, and make all of it print. */
export function settling({ comesLate, hasScripts }: DocumentFacts): string {
  return (comesLate ? SETTLE : '') + (hasScripts ? CANVASES : '');
}
