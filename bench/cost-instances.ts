import { MANAGED_MEMORY, MANAGED_ZONES, ON_INSTANCES } from '../lib/on-instances.ts';

/** The cost of managed instances (docs/deploy.md#managed-instances), for bench/cost.ts. */

const HOURS = 30 * 24;
const MONTH_SECONDS = HOURS * 3600;
/** AWS's fee for managed instances: a share of the price on demand, whatever is paid for the instance. */
const FEE = 0.15;
/** Cores of an m7i.2xlarge, which has room for an environment of each function, and for what AWS keeps for itself. */
const INSTANCE_CORES = 8;
const KEPT_CORES = 1;
/** Share of its cores at which AWS adds instances, so that the load can double within five minutes. */
const BUSY_SHARE = 0.5;

export interface InstancePrices {
  /** One hour of an m7i.2xlarge on demand. */
  instanceHour: number;
  /** One hour of a NAT gateway. */
  natHour: number;
}

/**
 * @param cpu seconds of a core for a document
 * @param share of the price on demand that is paid for an instance
 * @returns instances, and dollars a month for them and for their network, for documents that are spread evenly
 */
export function onInstances(
  documents: number,
  cpu: number,
  prices: InstancePrices,
  share = 1,
): { instances: number; dollars: number } {
  const environmentCores = MANAGED_MEMORY.mb / 1_024 / MANAGED_MEMORY.gibPerCore;
  const usable = INSTANCE_CORES - KEPT_CORES;
  const needed = (documents * cpu) / MONTH_SECONDS / BUSY_SHARE;
  // All but those of the other functions, which have their environments too.
  const first = MANAGED_ZONES * (usable - (ON_INSTANCES.size - 1) * environmentCores);
  const instances = MANAGED_ZONES + Math.ceil(Math.max(0, needed - first) / usable);
  const dollars = HOURS * (instances * prices.instanceHour * (share + FEE) + MANAGED_ZONES * prices.natHour);
  return { instances, dollars };
}
