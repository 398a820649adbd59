/** What every subscriber works with (types only). */
import type { Auth } from '../../../auth/contract.ts';
import type { Log } from '../../../core.ts';
import type { Feed } from '../../../realtime/changes/contract.ts';
import type { Matching } from '../matching/matching.ts';
import type { PendingChanges } from './batcher.ts';
import type { Connections } from './connections.ts';
import type { Row } from './contract.ts';
import type { EventEncoder } from './event-encoder.ts';

export interface SubscriberParts {
  readonly auth: Pick<Auth, 'bySession'>;
  readonly connections: Connections;
  readonly feed: Feed;
  readonly changes: PendingChanges;
  readonly log: Log;
  readonly matching: Matching;
  readonly encodeEvent: EventEncoder;
  /** Rows of deleted documents as they were before. */
  readonly undeletedRows: WeakMap<Row, Row>;
  /** The caller by whom the matching thread schedules requests, for callers without a user. */
  readonly caller: string;
}
