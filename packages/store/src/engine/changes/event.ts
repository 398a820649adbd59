/** Change events. */
import type { Timestamp } from 'bson';
import { decode, type Doc } from 'dossier-language/values';
import type { PutEvent } from '../../storage/storage.ts';

/** The fields of an event with the document before and after its change, which streams show under other names. */
export const preImage = 'preImage';
export const postImage = 'postImage';

/** One change event. */
export class ChangeEvent {
  readonly sequence: number;
  readonly time: Timestamp;
  readonly db: string;
  readonly collection: string;
  readonly bytes: Uint8Array;
  /** Bytes of all events up to this one. */
  readonly total: number;
  /**
   * The document before the change. It is kept in memory only, so that writes stay cheap: it is lost on restart, and
   * dropped before its event if images exceed their limit.
   */
  image: Image | undefined;
  #doc: Doc | undefined;

  /** @param doc what `bytes` contain */
  constructor({ sequence, total, bytes }: PutEvent, doc: Doc, image?: Image) {
    const { db, coll } = doc['ns'] as Doc;
    this.sequence = sequence;
    this.time = doc['clusterTime'] as Timestamp;
    this.db = String(db);
    this.collection = typeof coll === 'string' ? coll : '';
    this.bytes = bytes;
    this.total = total;
    this.image = image;
    this.#doc = doc;
  }

  /** The event as change streams report it, without its resume token. */
  get doc(): Doc {
    return this.#doc ?? decode(this.bytes);
  }

  /** Drops the values, which take a multiple of the bytes. */
  dropValues(): void {
    this.#doc = undefined;
  }
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
