import type { DeployedName } from './functions.ts';

/** What functions on managed instances of EC2 have (docs/deploy.md#managed-instances). */

/**
 * The functions that run on managed instances where a deployment has any. `convert` stays on Lambda: it has no rights
 * and its engines are not trusted, but instances are shared with functions that have rights.
 */
export const ON_INSTANCES: ReadonlySet<DeployedName> = new Set(['render', 'images', 'pdf']);

/**
 * An environment on managed instances: two cores, and a GiB for each of its eight requests. AWS takes 2, 4 or 8 GiB
 * for a core.
 */
export const MANAGED_MEMORY = { mb: 8_192, gibPerCore: 4 } as const;

/** AWS keeps three environments of each function, in different zones where it can. */
export const MANAGED_ZONES = 3;

/**
 * One thread of Node for the function's own code. Each further one would initialise the function again, with a
 * browser, threads and caches of its own, and requests share turns only within a thread.
 */
export const MANAGED_VARIABLES = { AWS_LAMBDA_NODEJS_WORKER_COUNT: '1' } as const;
