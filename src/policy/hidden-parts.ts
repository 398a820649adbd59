/**
 * Determines whether the value at a path has, or may have, password-named parts: a comparison of the whole value would compare
 * them too.
 */
import type { Field, ModelSchema } from '../models/fields/model-schema.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { isSecretPath } from '../models/secrets.ts';

/** Whether the value at a path has, or may have, password-named parts. */
export function holdsSecrets(schema: ModelSchema, path: string): boolean {
  const type = typeAt(schema, path);
  if (type.kind !== 'document') return false;
  if (type.schema !== undefined) return documentsMayHoldSecrets(type.schema);
  const below = [...schema.declared.values()].filter((field) => field.path.startsWith(`${path}.`));
  return below.some((field) => isSecretPath(field.path) || mayHoldSecrets(field));
}

/** Whether a path may have any value: it is free-form or not in the schema. */
export function isOpenAt(schema: ModelSchema, path: string): boolean {
  const { kind } = typeAt(schema, path);
  return kind === 'mixed' || kind === 'unknown';
}

/** Whether the schema declares password-named fields; free-form parts may contain more. */
export const declaresSecrets = (schema: ModelSchema): boolean => schema.secrets.length > 0;

/** Whether the schema declares password-named fields below a path. @param path with or without positions */
export function declaresSecretsBelow(schema: ModelSchema, path: string): boolean {
  const parts = withoutPositions(schema, path).split('.');
  return schema.secrets.some((secret) => {
    const names = secret.split('.');
    return names.length > parts.length && parts.every((part, at) => names[at] === part || names[at] === '$*');
  });
}

/** Whether values of a field have, or may have, password-named fields. */
function mayHoldSecrets({ schema, type, member }: Field): boolean {
  if (schema !== undefined) return documentsMayHoldSecrets(schema);
  if (type?.shape === 'any' || type?.shape === 'map') return true;
  return type?.shape === 'list' && (member === undefined || mayHoldSecrets(member));
}

const documentsMayHoldSecrets = (schema: ModelSchema): boolean =>
  isOpen(schema) || declaresSecrets(schema) || [...schema.declared.values()].some(mayHoldSecrets);

/** Whether the schema accepts undeclared fields. */
const isOpen = ({ isOpen: isFree, kinds }: ModelSchema): boolean => isFree || kinds.length > 0;
