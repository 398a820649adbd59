/** Change events (types). */
import type { Timestamp } from 'bson';
import type { Doc } from 'dossier-language/values';

/** One change event. */
export interface ChangeEvent {
  readonly sequence: number;
  readonly time: Timestamp;
  readonly db: string;
  readonly collection: string;
  /** The event as change streams report it, without its resume token. */
  readonly doc: Doc;
  readonly bytes: Uint8Array;
  /** Bytes of all events up to this one. */
  readonly total: number;
  /**
   * The document before the change. It is kept in memory only, so that writes stay cheap: it is lost on restart, and
   * dropped before its event if images exceed their limit.
   */
  image: Image | undefined;
}

/** A document before a change. */
export interface Image {
  readonly doc: Doc;
  /** Its length as BSON. */
  readonly size: number;
  /** Bytes that later versions do not share in memory. */
  readonly bytes: number;
}

/** A copy with memory of its own: a slice of Node's pool would keep its 8 KB in memory as long as an event is kept. */
export function ownCopy(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
