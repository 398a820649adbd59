/** The aliases of a schema. */
import type { Schema } from 'mongoose';
import { schemaParts } from '../mongoose/internals.ts';

/** The paths of aliases, by whole paths without positions. `withBase` has added those of nested schemas and of discriminators. */
export const aliasesOf = (schema: Schema): Record<string, string> => schemaParts(schema).aliases;
