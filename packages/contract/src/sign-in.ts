import * as z from 'zod';
import { SCOPES } from './route.ts';

/** Who may do what: tenants, and the groups of a provider with which people sign in. */

/** A tenant's name is part of keys in S3 and DynamoDB. */
export const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The tenant of each group, and its scopes: by default all but `admin`. */
const groupRightsSchema = z.record(
  z.string().min(1),
  z.strictObject({
    tenant: z.string().regex(TENANT, 'must be 1 to 64 letters, digits, dots, hyphens and underscores'),
    scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  }),
);

/** The same as JSON text. */
export const groupRightsText = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON: an object of groups, each with a tenant' });
      return z.NEVER;
    }
  })
  .pipe(groupRightsSchema);

export type GroupRights = z.output<typeof groupRightsSchema>[string];
