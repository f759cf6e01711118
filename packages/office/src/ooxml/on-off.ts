import type { Element } from '../xml/tree.ts';

/** Returns whether a property of WordprocessingML is there and not switched off (ECMA-376-1, 17.17.4). */
export function isOn(property: Element | undefined): boolean {
  return property !== undefined && !/^(?:0|false|off)$/.test(property.get('w:val') ?? '');
}
