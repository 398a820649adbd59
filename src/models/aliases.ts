/** The aliases of a schema. */
import type { Schema } from 'mongoose';

/** The paths of aliases, by whole paths without positions. `withBase` has added those of nested schemas and of discriminators. */
export const aliasesOf = (schema: Schema): Record<string, string> =>
  (schema as unknown as { aliases: Record<string, string> }).aliases;
