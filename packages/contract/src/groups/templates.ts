import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { templateRoutes } from '../routes/templates.ts';
import { versionRoutes } from '../routes/versions.ts';
import { archiveRoutes } from '../routes/archives.ts';
import { dataRoutes } from '../routes/data.ts';
import { partialRoutes } from '../routes/partials.ts';
import { fontRoutes } from '../routes/fonts.ts';
import { translationRoutes } from '../routes/translations.ts';

const table = [
  ...templateRoutes,
  ...versionRoutes,
  ...archiveRoutes,
  ...dataRoutes,
  ...partialRoutes,
  ...fontRoutes,
  ...translationRoutes,
] as const;

/** An entry of the group, with the types of its schemas. */
export type TemplateRoute = (typeof table)[number];

/** The routes of the function group `templates`, without the schemas of other groups. */
export const ROUTES_OF_TEMPLATES: readonly Route[] = table.map((route: Route) => withCallback(route));
