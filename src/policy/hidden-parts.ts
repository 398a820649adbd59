/**
 * Determines whether the value at a path has, or may have, password-named parts: a comparison of the whole value would compare
 * them too.
 */
import type { Schema, SchemaType } from 'mongoose';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { innerOf, typeAt } from '../models/fields/path-type.ts';
import { shapeOf } from '../models/fields/types/index.ts';
import { schemaParts } from '../models/mongoose/internals.ts';
import { placesOf, typesIn } from '../models/mongoose/schema-places.ts';
import { isSecretPath } from '../models/secrets.ts';

/** Whether the value at a path has, or may have, password-named parts. */
export function holdsSecrets(schema: Schema, path: string): boolean {
  const type = typeAt(schema, path);
  if (type.kind !== 'document') return false;
  if (type.schema !== undefined) return documentsMayHoldSecrets(type.schema);
  const below = Object.entries(schema.paths).filter(([name]) => name.startsWith(`${path}.`));
  return below.some(([name, inner]) => isSecretPath(name) || typeMayHoldSecrets(inner));
}

/** Whether a path may have any value: it is free-form or not in the schema. */
export function isOpenAt(schema: Schema, path: string): boolean {
  const { kind } = typeAt(schema, path);
  return kind === 'mixed' || kind === 'unknown';
}

const declared = new WeakMap<Schema, readonly string[]>();

/** The password-named paths that a schema declares at any depth; `$*` stands for the keys of a map. */
function secretPathsOf(schema: Schema): readonly string[] {
  const found =
    declared.get(schema) ??
    placesOf(schema)
      .flatMap(typesIn)
      .map(({ path }) => path)
      .filter(isSecretPath);
  declared.set(schema, found);
  return found;
}

/** Whether the schema declares password-named fields; free-form parts may contain more. */
export const declaresSecrets = (schema: Schema): boolean => secretPathsOf(schema).length > 0;

/** Whether the schema declares password-named fields below a path. @param path with or without positions */
export function declaresSecretsBelow(schema: Schema, path: string): boolean {
  const parts = withoutPositions(schema, path).split('.');
  return secretPathsOf(schema).some((secret) => {
    const names = secret.split('.');
    return names.length > parts.length && parts.every((part, at) => names[at] === part || names[at] === '$*');
  });
}

/** Whether values of a type have, or may have, password-named fields. */
function typeMayHoldSecrets(type: SchemaType): boolean {
  const { schema, embeddedSchemaType } = innerOf(type);
  if (schema !== undefined) return documentsMayHoldSecrets(schema);
  const shape = shapeOf(type);
  if (shape === 'any' || shape === 'map') return true;
  return shape === 'list' && (embeddedSchemaType === undefined || typeMayHoldSecrets(embeddedSchemaType));
}

const documentsMayHoldSecrets = (schema: Schema): boolean =>
  isOpen(schema) || declaresSecrets(schema) || Object.values(schema.paths).some(typeMayHoldSecrets);

/** Whether the schema accepts undeclared fields. */
const isOpen = (schema: Schema): boolean =>
  schema.get('strict') === false || schemaParts(schema).discriminators !== undefined;
