/** The virtuals of a schema that answers show. */
import type { Schema } from 'mongoose';
import { aliasesOf } from './aliases.ts';

interface Virtual {
  readonly options: { readonly ref?: unknown; readonly refPath?: unknown };
}

/**
 * The computed paths of a schema, without those of the schemas inside it.
 * Aliases are excluded, because they name stored paths; so are virtuals with `ref`, which only Mongoose's own `populate` fills.
 */
export function virtualsOf(schema: Schema): string[] {
  const aliases = aliasesOf(schema);
  return Object.entries(schema.virtuals as Readonly<Record<string, Virtual>>)
    .filter(([name]) => name !== 'id' && !Object.hasOwn(aliases, name))
    .filter(([, { options }]) => options.ref === undefined && options.refPath === undefined)
    .map(([name]) => name);
}
