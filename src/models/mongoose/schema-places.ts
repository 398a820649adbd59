/** Every schema and every type that a model's schema consists of, at any depth, with its path. */
import type { Schema, SchemaType } from 'mongoose';
import { innerOf, schemaParts } from './internals.ts';

/** The outermost map or union around a place, where requests cannot name the place: keys are any names, and alternatives share theirs. */
export interface Enclosure {
  readonly kind: 'map' | 'union';
  readonly path: string;
}

/** A type at a path: the declared one, that of the members of a list at any depth, of a map's values, or of a union's alternatives. */
export interface TypePlace {
  readonly type: SchemaType;
  /** Without positions in lists; `$*` stands for the keys of a map. */
  readonly path: string;
  readonly within: Enclosure | undefined;
}

/** A schema: the model's own, that of nested documents, or that of a discriminator. */
export interface SchemaPlace {
  readonly schema: Schema;
  /** Empty, or the path of the nested documents with a dot at its end. */
  readonly prefix: string;
  readonly within: Enclosure | undefined;
}

/** The types at a path, from the outermost on. */
function typesWithin(type: SchemaType, path: string, within?: Enclosure): readonly TypePlace[] {
  const { schema, embeddedSchemaType: member, $__schemaType: value, schemaTypes: alternatives = [] } = innerOf(type);
  return [
    { type, path, within },
    ...(schema === undefined && member !== undefined ? typesWithin(member, path, within) : []),
    ...(value === undefined ? [] : typesWithin(value, `${path}.$*`, within ?? { kind: 'map', path })),
    ...alternatives.flatMap((one) => typesWithin(one, path, within ?? { kind: 'union', path })),
  ];
}

/** The types of the declared paths of one schema, without those of the schemas inside it. */
export const typesIn = ({ schema, prefix, within }: SchemaPlace): readonly TypePlace[] =>
  Object.entries(schema.paths)
    // the values of a map are found through its type
    .filter(([name]) => !name.includes('$*'))
    .flatMap(([name, type]) => typesWithin(type, prefix + name, within));

/** A schema and all schemas inside it. */
export function placesOf(schema: Schema, prefix = '', within?: Enclosure): readonly SchemaPlace[] {
  const place = { schema, prefix, within };
  const inner = typesIn(place).flatMap((one) => {
    const { schema: below } = innerOf(one.type);
    return below === undefined ? [] : placesOf(below, `${one.path}.`, one.within);
  });
  return [place, ...inner, ...kindSchemasOf(schema).flatMap((kind) => placesOf(kind, prefix, within))];
}

export function kindSchemasOf(schema: Schema): readonly Schema[] {
  const { discriminators = {}, _applyDiscriminators } = schemaParts(schema);
  const applied = [...(_applyDiscriminators?.values() ?? [])].map((kind) => kind.schema);
  return [...Object.values(discriminators), ...applied].filter((kind) => kind !== schema);
}

/** The name of the path that has the kind of a document. */
export const kindKeyOf = (schema: Schema): string => String(schema.get('discriminatorKey') ?? '__t');

/** The value of the key in the documents of a discriminator; undefined before its model is compiled, and for other schemas. */
export const kindValueOf = (kind: Schema): unknown => schemaParts(kind).discriminatorMapping?.value;

/** The kinds of a schema, each once, with the value of the key and their schema; none before its model is compiled. */
export function kindsIn(schema: Schema): readonly { readonly value: unknown; readonly schema: Schema }[] {
  const kinds = new Map<unknown, Schema>();
  for (const kind of kindSchemasOf(schema)) {
    const value = kindValueOf(kind);
    if (value !== undefined && !kinds.has(value)) kinds.set(value, kind);
  }
  return [...kinds].map(([value, kind]) => ({ value, schema: kind }));
}
