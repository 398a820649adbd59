/** Schemas as model files declare them, before the standard fields are added. */
import type { Schema, SchemaDefinition } from 'mongoose';
import type { AnyModel } from '../author/handle.ts';
import { schemaParts } from '../mongoose/internals.ts';
import { kindKeyOf, kindValueOf } from '../mongoose/schema-places.ts';

export interface LoadedSchema {
  readonly name: string;
  readonly file: string | undefined;
  readonly schema: Schema;
  /** The collection that a compiled model names. */
  readonly collection: string | undefined;
  /** The name of a compiled model. */
  readonly compiledAs?: string | undefined;
  /** The names of its discriminators. */
  readonly kinds?: readonly string[];
  /** Of an internal model: whether callers read it under its perms, and whether its changes are published. */
  readonly isOwn?: boolean | undefined;
  readonly publishes?: boolean | undefined;
}

/** Whether a schema is that of a discriminator, which belongs to another model. */
export const isKind = (schema: Schema): boolean => schemaParts(schema).discriminatorMapping?.isRoot === false;

/** The names of the discriminators that are added to a schema. */
export const kindNamesOf = (schema: Schema): readonly string[] => [
  ...(schemaParts(schema)._applyDiscriminators?.keys() ?? []),
];

/**
 * The schema of a compiled model with the discriminators that were added to the model, which Mongoose does not store in the
 * schema.
 */
export function withKinds({ schema, discriminators = {} }: AnyModel): Schema {
  const whole = schema.clone();
  for (const [name, kind] of Object.entries(discriminators)) {
    const own = kind.schema.clone();
    // Mongoose adds the key itself and refuses a field with that name
    own.remove(kindKeyOf(whole));
    removeInherited(own, schema);
    whole.discriminator(name, own, { value: (kindValueOf(kind.schema) ?? name) as string });
  }
  return whole;
}

/** Removes the middleware that Mongoose has copied into a discriminator: it copies it again, and it would run twice. */
function removeInherited(kind: Schema, base: Schema): void {
  const { hooks: own } = schemaParts(kind).s;
  const { hooks: inherited } = schemaParts(base).s;
  for (const when of ['_pres', '_posts'] as const)
    for (const [name, hooks] of own[when]) {
      const copied = new Set(inherited[when].get(name)?.map(({ fn }) => fn));
      own[when].set(
        name,
        hooks.filter(({ fn }) => !copied.has(fn)),
      );
    }
}

/** Adds a field to a schema that may use another `typeKey`. */
export function addField(schema: Schema, path: string, field: Readonly<Record<'type', unknown>> & object): void {
  const { type, ...options } = field;
  schema.add({ [path]: { ...options, [String(schema.get('typeKey'))]: type } } as SchemaDefinition);
}
