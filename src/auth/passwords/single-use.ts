/** Single-use tokens: of several uses, on any server, only the first succeeds. */
import { isFirst } from '../../models/database-errors.ts';
import { internalCollection, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { digest } from '../credentials/tokens.ts';

/** Records a use until the token expires. @returns whether it is the first use */
export type UseOnce = (what: string, expires: Date) => Promise<boolean>;

export function makeUseOnce(registry: Registry): UseOnce {
  const collection = internalCollection(registry, '_used');
  return (what, until) => isFirst(() => collection.insertOne({ _id: digest(what), until } as Row));
}
