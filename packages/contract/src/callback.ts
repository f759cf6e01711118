import * as z from 'zod';
import { canBeJob, type Route } from './route.ts';

const callback = {
  callback_url: z.string().max(2048).optional().meta({
    description: 'With `Prefer: respond-async`: URL of the webhook that is called when the job has ended.',
  }),
};

/** Adds `callback_url` to the form of a route that can be a job. */
export function withCallback(route: Route): Route {
  return canBeJob(route) ? { ...route, form: (route.form ?? z.object({})).extend(callback) } : route;
}
