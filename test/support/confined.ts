import type { Confinement } from '../../functions/convert/confinement.ts';

/** As engines run on a machine that can confine them. */
export const CONFINED: Confinement = { required: true, reads: [], writes: [] };
