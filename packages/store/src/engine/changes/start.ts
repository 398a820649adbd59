/** The start of a change stream: now, at a time, or after a resume token. */
import { Timestamp } from 'bson';
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import type { ChangeEvent } from './event.ts';
import type { History } from './history.ts';
import { readToken, tokenOf } from './token.ts';

/** The start of a change stream. */
export interface Start {
  /** The first event to read. */
  readonly next: number;
  /** The token of the position before it. */
  readonly token: Doc;
  /**
   * The last event that the client received. It may have invalidated the stream before the client received the
   * `invalidate` event.
   */
  readonly lastEvent: ChangeEvent | undefined;
}

/** An error that no retry resolves. */
export const historyLost = (): StoreError =>
  new StoreError(
    286,
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog: the store keeps a bounded number of changes.',
    { errorLabels: ['NonResumableChangeStreamError'] },
  );

const isGiven = (value: Value): boolean => value !== undefined && value !== null;

/**
 * Reads the start options of a change stream.
 * @throws StoreError 286 if the history no longer reaches back, 260 if the stream was invalidated there, 50674, 40674
 * or 14 for invalid options
 */
export function startOf(history: History, options: Doc): Start {
  const { resumeAfter, startAfter, startAtOperationTime: time } = options;
  if (isGiven(resumeAfter) && isGiven(startAfter))
    throw new StoreError(50674, "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage");
  const token = isGiven(resumeAfter) ? resumeAfter : startAfter;
  if (isGiven(token) && isGiven(time))
    throw new StoreError(40674, 'Only one type of resume option is allowed, but multiple were found.');
  if (isGiven(token)) return startAfterToken(history, token, isGiven(startAfter));
  const next = isGiven(time) ? history.at(timeOf(time)) : history.next;
  if (next === undefined) throw historyLost();
  return { next, token: history.tokenBefore(next), lastEvent: undefined };
}

function startAfterToken(history: History, given: Value, afterEnd: boolean): Start {
  const token = readToken(given);
  if (token === undefined || !history.continues(token)) throw historyLost();
  if (token.kind === 'invalidate' && !afterEnd) {
    throw new StoreError(
      260,
      "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
    );
  }
  const lastEvent = token.kind === 'event' ? history.get(token.sequence) : undefined;
  return { next: token.sequence + 1, token: tokenOf({ ...token, kind: 'place' }), lastEvent };
}

function timeOf(value: Value): bigint {
  if (value instanceof Timestamp) return value.toBigInt();
  throw new StoreError(
    14,
    "BSON field '$changeStream.startAtOperationTime' is the wrong type, expected type 'timestamp'",
  );
}
