import type { Engine, Host } from './engines.d.mts';

export const THIS_HOST: Host;
export const LINUX_BROWSER: Engine & { places: string[] };
export function needsBrowser(host: Host): boolean;
export function placeOf(engine: { places: string[] }, host: Host): string | undefined;
export function missingOnMac(host: Host): Engine[];
export function hostVariables(host?: Host): Record<string, string>;
export function hostNotes(host?: Host): string[];
