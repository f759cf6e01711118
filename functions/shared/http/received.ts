import type { Route } from '@platen/contract/route';
import type { JobServices } from '../jobs/config.ts';
import type { Caller, GatewayEvent, InvocationContext } from './event.ts';
import type { UploadSource } from './files.ts';
import type { UsageCounter } from './limits.ts';

/** The services that a group's requests need besides its operations. */
export interface GroupServices {
  /** The routes of the group. If absent, or for a request to none of them, the routes of all groups are loaded. */
  routes?: readonly Route[];
  /** The files that requests refer to; null for a group whose routes take none. */
  uploads?: UploadSource | null;
  /** Services for jobs and idempotent requests; null for a deployment, or a group, without them. */
  jobs?: JobServices | null;
  /** Counts requests for the limits of tokens; null: tokens with limits are refused. */
  usage?: UsageCounter | null;
  /** Namespace of the CloudWatch metrics; null for none. */
  metrics?: string | null;
}

/** An event, and the services to answer it. */
export interface Invocation {
  event: GatewayEvent;
  context: InvocationContext;
  services: GroupServices;
}

/** A request as it arrived, and its caller. */
export interface ReceivedRequest extends Invocation {
  route: Route;
  who: Caller;
  /** Whether it becomes a job, or is the work of one. */
  isJob: boolean;
  /** See `PlatenRequest`. */
  pins: Record<string, string>;
}
