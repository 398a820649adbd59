/**
 * Encrypts positions for callers, because the feed's own positions reveal ids and the number of writes; and what both kinds of feed are
 * made from.
 */
import { makeMarkedSealer, type Secrets } from '../../adapters/sealing.ts';
import { badParameter } from '../../errors/errors.ts';
import type { Connection } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Log } from '../../ports/log.ts';
import type { Bus, Change, Feed, SequencedChange } from './contract.ts';

/** Maximum length of a position. */
const maxLength = 2000;

export interface Positions {
  /** Encrypts a resume token, or a number of the local feed. The result is the same at every server with the same secret. */
  seal(plain: string): string;
  /** Decrypts a position; undefined if no server with this secret created it. @throws 400 for what is no position of an event or a list */
  open(position: string): string | undefined;
}

/** @param secrets the shared secrets */
export function makePositions(secrets: Secrets): Positions {
  const sealer = makeMarkedSealer(secrets, 'event positions', 'event-', maxLength);
  return {
    seal: (plain) => sealer.seal(Buffer.from(plain)),
    open(position) {
      const { isMarked, content } = sealer.open(position);
      if (content === undefined && !isMarked)
        throw badParameter('since', 'must be the position of an event, or of a list that was read with position=true');
      return content?.toString();
    },
  };
}

/** A change with its position, which is sealed when it is first read: most changes have no subscribers. */
export function withPosition(change: Change, seal: () => string): SequencedChange {
  let sealed: string | undefined;
  return {
    ...change,
    get position() {
      return (sealed ??= seal());
    },
  };
}

export interface FeedParts {
  readonly connection: Connection;
  readonly registry: Registry;
  readonly bus: Bus;
  readonly log: Log;
  readonly positions: Positions;
}

export type ClosableFeed = Feed & { close(): Promise<void> };
