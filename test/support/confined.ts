import type { Confinement } from '../../functions/convert/confinement.ts';

/** The confinement of engines on a machine whose kernel supports it. */
export const CONFINED: Confinement = { required: true, reads: [], writes: [] };
