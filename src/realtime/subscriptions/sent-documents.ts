/** The documents that a subscription began with, by which the changes are known that they contain already. */
import { hash } from 'node:crypto';
import type { Policy } from '../../policy/policy.ts';
import { present } from '../../policy/present.ts';
import type { Change, SequencedChange } from '../changes/contract.ts';
import { versionOf } from '../changes/stream-change.ts';

type Row = Readonly<Record<string, unknown>>;

interface Sent {
  readonly version: number | undefined;
  readonly digest: string;
}

const digestOf = (row: Row, policy: Policy): string => hash('sha1', JSON.stringify(present(policy, row)), 'base64');

export class SentDocuments {
  /** By ids. Undefined once all changes have been delivered that were made before the last document was read. */
  #sent: Map<string, Sent> | undefined = new Map();
  #isLater: ((change: SequencedChange) => boolean) | undefined;
  /** Whether a heartbeat has come since the last document was read. */
  #hasRested = false;

  add(id: string, row: Row, policy: Policy): void {
    this.#sent?.set(id, { version: versionOf(row), digest: digestOf(row, policy) });
  }

  /** All documents have been sent. @param isLater whether a change was made after that */
  complete(isLater: (change: SequencedChange) => boolean): void {
    this.#isLater = isLater;
  }

  /** Releases the memory when no change has come for a while. */
  rest(): void {
    if (this.#hasRested) this.#sent = undefined;
    this.#hasRested = this.#isLater !== undefined;
  }

  /**
   * Whether an event tells the subscriber nothing: its document was sent in this state or a later one, or was never sent and is gone.
   * The event counts as sent otherwise.
   */
  repeats(change: SequencedChange, event: Change['event'], policy: Policy): boolean {
    if (this.#isLater?.(change) === true) this.#sent = undefined;
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
