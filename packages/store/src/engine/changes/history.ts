/**
 * The change events for change streams: a bounded list, in memory and in the data file. It grows beyond its normal
 * limits, up to the `held` limits, while an open change stream has not read the oldest events.
 */
import type { Timestamp } from 'bson';
import { Long, Timestamp as TimestampOf } from 'bson';
import type { Doc } from 'dossier-language/values';
import { decode } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import type { Limits } from '../limits.ts';
import { type Reader, Readers } from './readers.ts';
import { type Token, tokenOf } from './token.ts';

/** One change event. */
export interface ChangeEvent {
  readonly sequence: number;
  readonly time: Timestamp;
  readonly db: string;
  readonly collection: string;
  /** The event as change streams report it, without its resume token. */
  readonly doc: Doc;
  readonly bytes: Uint8Array;
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

/** The retained events, oldest first. */
export class History {
  readonly #limits: Limits;
  #events: ChangeEvent[] = [];
  #first = 0;
  #bytes = 0;
  /** Events with images, oldest first, from `#firstImage` on. */
  #images: ChangeEvent[] = [];
  #firstImage = 0;
  #imageBytes = 0;
  /** The databases whose images are kept; `*` means all. */
  readonly #imaged = new Set<string>();
  #next = 1;
  #visible = 1;
  #lastTime = 0n;
  readonly #listeners = new Set<() => void>();
  readonly #readers: Readers;
  /** Writers that wait for readers. */
  readonly #writers = new Set<() => void>();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#readers = new Readers(limits.readerMs, () => this.#makeRoom());
  }

  /** Keeps the events from a number on for a change stream, as long as it keeps reading. */
  openReader(first: number): Reader {
    return this.#readers.open(first);
  }

  /** Whether open change streams are so far behind that writers must wait. */
  get #isFull(): boolean {
    const { heldEvents, heldBytes } = this.#limits;
    const isLarge = this.#events.length - this.#first > heldEvents / 2 || this.#bytes > heldBytes / 2;
    return isLarge && this.#readers.needs(this.oldest);
  }

  /** Waits until open change streams have caught up, for `writeHoldMs` at most. The writing command calls it. */
  async waitForReaders(): Promise<void> {
    if (!this.#isFull) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#writers.delete(go);
        resolve();
      };
      const timer = setTimeout(go, this.#limits.writeHoldMs);
      this.#writers.add(go);
    });
  }

  #makeRoom(): void {
    this.#trim();
    if (this.#writers.size === 0 || this.#isFull) return;
    for (const go of [...this.#writers]) go();
  }

  /** The number of the next event. */
  get next(): number {
    return this.#next;
  }

  /** The number of the oldest retained event; that of the next one if none is retained. */
  get oldest(): number {
    return this.#events[this.#first]?.sequence ?? this.#next;
  }

  /** The time of the newest event. */
  get now(): Timestamp {
    return timestamp(this.#lastTime);
  }

  /** A cluster time later than all before it. */
  tick(): Timestamp {
    const seconds = BigInt(Math.floor(Date.now() / 1000)) << 32n;
    this.#lastTime = seconds > this.#lastTime ? seconds + 1n : this.#lastTime + 1n;
    return timestamp(this.#lastTime);
  }

  /** Starts keeping before-images of a database, or of all databases. */
  keepImages(db: string | undefined): void {
    this.#imaged.add(db ?? '*');
  }

  /** Creates the next event and keeps it. */
  add(db: string, collection: string, doc: Doc, image?: Image): ChangeEvent {
    const event: ChangeEvent = {
      sequence: this.#next,
      time: doc['clusterTime'] as Timestamp,
      db,
      collection,
      doc,
      bytes: encode(doc),
      image: this.#imaged.has('*') || this.#imaged.has(db) ? image : undefined,
    };
    this.#keep(event);
    this.#keepImage(event);
    return event;
  }

  /** Restores an event from the data file. */
  restore(sequence: number, bytes: Uint8Array): void {
    const doc = decode(bytes);
    const ns = doc['ns'] as Doc;
    const time = doc['clusterTime'] as Timestamp;
    this.#lastTime = time.toBigInt() > this.#lastTime ? time.toBigInt() : this.#lastTime;
    const coll = ns['coll'];
    const collection = typeof coll === 'string' ? coll : '';
    this.#keep({ sequence, time, db: String(ns['db']), collection, doc, bytes, image: undefined });
  }

  #keep(event: ChangeEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes.length;
    this.#next = event.sequence + 1;
    this.#trim();
  }

  #trim(): void {
    while (this.#isOver(this.#limits.historyEvents, this.#limits.historyBytes)) {
      const isHeld = this.#readers.needs(this.oldest);
      if (isHeld && !this.#isOver(this.#limits.heldEvents, this.#limits.heldBytes)) break;
      const oldest = this.#events[this.#first];
      this.#bytes -= oldest?.bytes.length ?? 0;
      this.#first += 1;
      if (oldest !== undefined && this.#images[this.#firstImage] === oldest) this.#dropImage();
    }
    if (this.#first > 1000 && this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Removes the events from a number on, after a rollback. */
  cut(from: number): void {
    while (this.#next > from && this.#events.length > this.#first) {
      const last = this.#events.pop();
      if (last === undefined) break;
      this.#bytes -= last.bytes.length;
      if (last.image === undefined) continue;
      this.#images.pop();
      this.#imageBytes -= last.image.bytes;
    }
    this.#next = Math.min(this.#next, from);
  }

  #keepImage(event: ChangeEvent): void {
    if (event.image === undefined) return;
    this.#images.push(event);
    this.#imageBytes += event.image.bytes;
    while (this.#imageBytes > this.#limits.imageBytes) this.#dropImage();
    if (this.#firstImage > 1000 && this.#firstImage * 2 > this.#images.length) {
      this.#images = this.#images.slice(this.#firstImage);
      this.#firstImage = 0;
    }
  }

  #dropImage(): void {
    const oldest = this.#images[this.#firstImage];
    this.#firstImage += 1;
    if (oldest === undefined) return;
    this.#imageBytes -= oldest.image?.bytes ?? 0;
    oldest.image = undefined;
  }

  #isOver(maxEvents: number, maxBytes: number): boolean {
    const count = this.#events.length - this.#first;
    return count > maxEvents || (count > 0 && this.#bytes > maxBytes);
  }

  /** Up to `count` events from a number on. */
  from(sequence: number, count: number): readonly ChangeEvent[] {
    const start = this.#first + Math.max(0, sequence - this.oldest);
    return this.#events.slice(start, start + count);
  }

  /** The first event at or after a time; undefined if older events than those retained would be needed. */
  at(time: bigint): number | undefined {
    if (this.oldest > 1 && time < this.#oldestTime) return undefined;
    for (let at = this.#first; at < this.#events.length; at += 1) {
      const event = this.#events[at];
      if (event !== undefined && event.time.toBigInt() >= time) return event.sequence;
    }
    return this.#next;
  }

  /** The time of the oldest retained event; a future time if none is retained. */
  get #oldestTime(): bigint {
    return this.#events[this.#first]?.time.toBigInt() ?? this.#lastTime + 1n;
  }

  /** A retained event by its number. */
  get(sequence: number): ChangeEvent | undefined {
    return this.#events[this.#first + sequence - this.oldest];
  }

  /**
   * Whether all events after a token are retained. The token's time tells whether it belongs to this history: after a
   * restored backup or deleted data, other events have the same numbers.
   */
  continues({ sequence, time }: Token): boolean {
    if (sequence === this.oldest - 1) return time < this.#oldestTime;
    return sequence >= this.oldest && this.get(sequence)?.time.toBigInt() === time;
  }

  /**
   * The token of the position before an event. The time is unknown, and not needed, if the event before is no longer
   * retained.
   */
  tokenBefore(sequence: number): Doc {
    const time = sequence > this.oldest ? this.get(sequence - 1)?.time.toBigInt() : undefined;
    return tokenOf({ sequence: sequence - 1, time: time ?? 0n, kind: 'place' });
  }

  /** The first event that change streams must not see yet, because it is not on disk. */
  get visible(): number {
    return this.#visible;
  }

  /** Subscribes to new events; the returned function unsubscribes. */
  listen(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** Makes the events before a number visible, after they reached the disk. */
  announce(before: number): void {
    if (before <= this.#visible) return;
    this.#visible = before;
    for (const callback of [...this.#listeners]) callback();
  }
}

const timestamp = (value: bigint): Timestamp => new TimestampOf(Long.fromBigInt(value, true));
