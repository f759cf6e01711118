import * as z from 'zod';

/** The descriptions of schemas without their names. */
class Unnamed extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<z.core.GlobalMeta, S> | undefined {
    const { id: _, ...described } = z.globalRegistry.get(schema) ?? {};
    return described;
  }
}

const UNNAMED = new Unnamed();

/** Returns the JSON Schema of input, with each part in its place: an error has no other place for definitions. */
export function inlineSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', metadata: UNNAMED });
  return described;
}
