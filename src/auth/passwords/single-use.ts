/** What can be used once: whoever comes second is told so, on whichever server. */
import { internalCollection, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { digest } from '../credentials/tokens.ts';
import { asked, isTaken } from '../with-db-errors.ts';

/** @returns whether this is the first use; it is remembered until it would have expired anyway */
export type UseOnce = (what: string, expires: Date) => Promise<boolean>;

export function makeUseOnce(registry: Registry): UseOnce {
  const collection = internalCollection(registry, '_used');
  return (what, until) =>
    asked(async () => {
      try {
        await collection.insertOne({ _id: digest(what), until } as Row);
        return true;
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
    });
}
