/** What must hold for a document after a write: the caller's rules of the letter. */
import type { ModelActor } from '../../context.ts';
import { overtaken } from '../../errors/errors.ts';
import type { Row } from '../../models/mongoose.ts';
import { boundsOfUpdate } from '../../models/mongoose/direct/bounds.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { policyFor } from '../../policy/policy.ts';
import { notLikeThis } from '../../policy/refused-row.ts';
import type { Filter } from '../../query/filter.ts';
import { driverRow } from '../../query/row-update.ts';
import { computedPathsOf, type Update } from '../../query/updates.ts';
import type { RowGuard } from '../contract.ts';

/**
 * What must hold for a document after an update: the caller's rules, and the bounds of paths that no validator of the update holds.
 * @returns undefined where the document before it does not matter
 */
export function guardOfUpdate(actor: Pick<ModelActor, 'principal' | 'model'>, update: Update): RowGuard | undefined {
  const mayStay = guardOf(actor, 'u');
  const changed = { computed: computedPathsOf(update), set: update['$set'] ?? {} };
  // validators hold all other values
  const mayPass = changed.computed.length > 0 || Object.values(changed.set).some(isPlainObject);
  const inBounds = mayPass ? boundsOfUpdate(actor.model, changed) : undefined;
  if (inBounds === undefined) return mayStay;
  return (after, before) => {
    mayStay?.(after, before);
    // with the classes of the driver, which validators know
    inBounds(driverRow(after), before);
  };
}

/** @param letter `c` for a new document, `u` for a change @returns undefined where no rule applies to the document */
export function guardOf(
  { principal, model }: Pick<ModelActor, 'principal' | 'model'>,
  letter: 'c' | 'u',
): RowGuard | undefined {
  const mayStay = policyFor(principal, model).ruleFor(letter);
  if (mayStay === undefined) return undefined;
  return (after) => {
    if (!mayStay(after)) throw notLikeThis(principal, letter, model);
  };
}

/** Maximum tries of a change that others overtake. */
const maxTries = 8;

/**
 * Judges a change of one document before it is sent. The command applies to the revision that was judged. The caller holds the mutex of
 * the document (`onDocument`), so that only writes which need none, and other servers, can overtake it.
 * @param read the document as it is now; null for none
 * @param send the command, narrowed by a filter @returns what it returns for a document; null where there is none
 * @throws 403, or 503 when others keep changing the document
 */
export async function sendIfAllowed<T>(
  read: () => Promise<Row | null>,
  judge: (before: Row) => void | Promise<void>,
  send: (narrowed: Filter) => Promise<T | null>,
): Promise<T | null> {
  for (let left = maxTries; left > 0; left--) {
    const before = await read();
    if (before === null) return null;
    await judge(before);
    const done = await send(sameRevision(before));
    if (done !== null) return done;
  }
  throw overtaken();
}

/** The document as long as nothing has changed it. */
export const sameRevision = (row: Row): Filter => ({ _id: row['_id'], __v: row['__v'] ?? null });
