/** Where password-named parts are, or may be, below a path: comparing wholes would compare them too. */
import type { Schema, SchemaType } from 'mongoose';
import { innerOf, typeAt } from '../models/path-type.ts';
import { isSecretPath } from '../models/secrets.ts';

/** Whether a path stands for a document that has password-named parts, or may have some. */
export function holdsSecrets(schema: Schema, path: string): boolean {
  const type = typeAt(schema, path);
  if (type.kind !== 'document') return false;
  if (type.schema !== undefined) return documentsMayHoldSecrets(type.schema);
  const below = Object.entries(schema.paths).filter(([name]) => name.startsWith(`${path}.`));
  return below.some(([name, inner]) => isSecretPath(name) || typeMayHoldSecrets(inner));
}

/** Whether anything may be at a path: it is free-form, or the schema does not name it. */
export function isOpenAt(schema: Schema, path: string): boolean {
  const { kind } = typeAt(schema, path);
  return kind === 'mixed' || kind === 'unknown';
}

/** Whether the schema names password-named fields, besides which it may hold some in free-form parts. */
export const declaresSecrets = (schema: Schema): boolean =>
  Object.entries(schema.paths).some(([path, type]) => {
    const inner = innerOf(type).schema;
    return isSecretPath(path) || (inner !== undefined && declaresSecrets(inner));
  });

/** Below a path of this type there are password-named fields, or there may be any. */
function typeMayHoldSecrets(type: SchemaType): boolean {
  const { schema, embeddedSchemaType } = innerOf(type);
  if (schema !== undefined) return documentsMayHoldSecrets(schema);
  if (type.instance === 'Mixed' || type.instance === 'Map') return true;
  return type.instance === 'Array' && (embeddedSchemaType === undefined || typeMayHoldSecrets(embeddedSchemaType));
}

const documentsMayHoldSecrets = (schema: Schema): boolean =>
  isOpen(schema) || declaresSecrets(schema) || Object.values(schema.paths).some(typeMayHoldSecrets);

/** The schema lets fields in that it does not name. */
const isOpen = (schema: Schema): boolean =>
  schema.get('strict') === false || (schema as unknown as { discriminators?: object }).discriminators !== undefined;
