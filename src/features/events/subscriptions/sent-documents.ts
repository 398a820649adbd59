/** The documents that a subscription began with, by which the changes are known that they contain already. */
import { hash } from 'node:crypto';
import type { Policy } from '../../../core.ts';
import { isObject } from '../../../models/plain-object.ts';
import { present } from '../../../policy/present.ts';
import type { Change } from '../../../realtime/changes/contract.ts';
import { versionOf } from '../../../realtime/changes/stream-change.ts';
import type { Row } from './contract.ts';

interface Sent {
  readonly version: number | undefined;
  readonly digest: string;
}

const digestOf = (row: Row, policy: Policy): string =>
  hash('sha1', JSON.stringify(present(policy, row), inOneOrder), 'base64');

/** The database may return the names of a document in another order than the one in which its writer gave them: `_id` comes first. */
const inOneOrder = (_name: string, value: unknown): unknown =>
  isObject(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value;

export class SentDocuments {
  /** By ids; undefined once no change can come any more that was made before the last document was read. */
  #sent: Map<string, Sent> | undefined = new Map();
  /** Heartbeats since the last document was read. */
  #heartbeats = -Infinity;

  add(id: string, row: Row, policy: Policy): void {
    this.#sent?.set(id, { version: versionOf(row), digest: digestOf(row, policy) });
  }

  /** All documents have been read. Changes that they contain may still arrive: writers publish them after they are in the database. */
  complete(): void {
    this.#heartbeats = 0;
  }

  /** Releases the memory when the changes of that time have been delivered. */
  heartbeat(): void {
    this.#heartbeats += 1;
    if (this.#heartbeats > 1) this.#sent = undefined;
  }

  /**
   * Whether an event tells the subscriber nothing: its document was sent in this state or a later one, or was never sent and is gone.
   * The event counts as sent otherwise.
   */
  repeats(change: Change, event: Change['event'], policy: Policy): boolean {
    if (this.#sent === undefined) return false;
    const { id, after } = change;
    if (event === 'del') return !this.#sent.delete(id);
    if (after === undefined) return false;
    const known = this.#sent.get(id);
    const version = change.version ?? versionOf(after);
    if (known?.version !== undefined && version !== undefined && version < known.version) return true;
    const digest = digestOf(after, policy);
    if (known?.digest === digest) return true;
    this.#sent.set(id, { version, digest });
    return false;
  }
}
