/** What the API answers with, as far as the Studio reads it: `GET /v1/openapi.json` describes all of it. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export interface TokenInfo {
  tenant: string;
  scopes: string[];
  expires_at: string | null;
}

export interface StyleFile {
  id: string;
  format: string;
  filename: string | null;
  description: string | null;
  timestamp: string;
}

export interface ImageFile extends StyleFile {
  /** Name of the variable that shows it. */
  uri: string;
}

export interface SampleInfo {
  name: string;
  bytes: number;
  timestamp: string;
}

/** A template; the options it registers are members of it too. */
export interface Template {
  id: string;
  name: string;
  format: string;
  templating_engine: string;
  description: string | null;
  template_file: { id: string };
  header_file: { id: string } | null;
  footer_file: { id: string } | null;
  style_files: StyleFile[];
  image_files: ImageFile[];
  samples: SampleInfo[];
  version: number;
  published_version: number;
  latest_version: number;
  note: string | null;
  timestamp: string;
  [option: string]: unknown;
}

export interface TemplateVersion {
  version: number;
  timestamp: string;
  note: string | null;
  published: boolean;
  changes: string[];
}

/** One fault in a problem document: which members it has depends on what is at fault. */
export interface Fault {
  field?: string;
  message?: string;
  detail?: string;
  rule?: string;
  file?: string;
  line?: number;
  column?: number;
  source?: string;
  cell?: string;
  record?: number;
  pointer?: string;
}

export interface Problem {
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id?: string;
  errors?: Fault[];
}

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface Job {
  id: string;
  operation: string;
  state: JobState;
  created: string;
  started: string | null;
  finished: string | null;
  expires: string;
  total: number | null;
  done: number;
  failed: number;
  errors: { record: number; code: string; message: string }[];
  problem: Problem | null;
  result: string | null;
}

/** What there is to say of a rendering; null is what its engine cannot tell. */
export interface Report {
  pages: number;
  bytes: number;
  timings: Record<string, number>;
  resources: { address: string; status: number | null; bytes: number | null; error: string | null }[];
  console: { level: string; text: string }[] | null;
  fonts: {
    requested: string[] | null;
    used: string[];
    substituted: { requested: string; used: string | null }[] | null;
  };
  missing_glyphs: { character: string; code: string; page: number | null }[];
  overflow: { element: string; page: number | null; by: number }[] | null;
  images: { element: string | null; page: number | null; dpi: number }[];
  violations: { rule: string; page: number | null; element: string | null; detail: string }[];
}

/** JSON Schema, as far as it describes options and fields. */
export interface Schema {
  type?: string;
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
}
