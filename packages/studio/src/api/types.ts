/** The parts of API answers that the Studio reads: `GET /v1/openapi.json` describes all of them. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export type {
  DeletedTemplate,
  Fault,
  ImageFile,
  Import,
  Job,
  RenderReport as Report,
  StyleFile,
  Template,
  TemplateEvent,
  TemplateVersion,
  Token as TokenInfo,
} from '@platen/client';

/** JSON Schema, as far as it describes options and fields. */
export interface Schema {
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: string[];
  examples?: string[];
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
}
