/** Single-use tokens: of several uses, on any server, only the first succeeds. */
import { isFirst } from '../../models/database-errors.ts';
import { inSession, internalCollection, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { UnitOfWork } from '../../write/contract.ts';
import { digest } from '../credentials/tokens.ts';

/**
 * Records a use until the token expires: in a unit of work, as long as that does not fail. @returns whether it is the first use
 * @throws the driver's errors
 */
export type UseOnce = (what: string, expires: Date, unit?: UnitOfWork) => Promise<boolean>;

export function makeUseOnce(registry: Registry): UseOnce {
  const collection = internalCollection(registry, '_used');
  return async (what, until, unit) => {
    const row = { _id: digest(what) } as Row;
    const isUsed = await isFirst(() => collection.insertOne({ ...row, until }, inSession(unit?.session)));
    if (isUsed) unit?.effects.push({ changes: [], undo: () => collection.deleteOne(row) });
    return isUsed;
  };
}
