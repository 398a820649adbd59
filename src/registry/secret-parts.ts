/** Whether a path stands for a whole that has password-named parts: comparing wholes would compare the parts too. */
import type { Schema } from 'mongoose';
import { isSecretPath } from './secrets.ts';
import { innerOf, typeAt } from './type-at.ts';

export function holdsSecrets(schema: Schema, path: string): boolean {
  const type = typeAt(schema, path);
  if (type.kind !== 'document') return false;
  const below = (inner: Schema, prefix: string): boolean =>
    Object.entries(inner.paths).some(([name, found]) => {
      if (!name.startsWith(prefix)) return false;
      const embedded = innerOf(found).schema;
      return isSecretPath(name) || (embedded !== undefined && below(embedded, ''));
    });
  return type.schema === undefined ? below(schema, `${path}.`) : below(type.schema, '');
}
