/**
 * The change events that are kept for change streams: a bounded list, in memory and in the data file. It grows beyond its usual
 * bounds, up to others, while an open change stream has not read the oldest events yet.
 */
import type { Timestamp } from 'bson';
import { Long, Timestamp as TimestampOf } from 'bson';
import { decode } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';
import type { Limits } from '../limits.ts';
import { Readers, type Reader } from './readers.ts';
import { tokenOf, type Token } from './token.ts';

/** One thing that happened. */
export interface ChangeEvent {
  readonly sequence: number;
  readonly time: Timestamp;
  readonly db: string;
  readonly collection: string;
  /** The event as streams show it, but for its resume token. */
  readonly doc: Doc;
  readonly bytes: Uint8Array;
  /**
   * The document as it was before; in memory only, so that a write costs no more. It is gone when the store is opened
   * again, and before the event itself when images take up too much.
   */
  image: Image | undefined;
}

/** A document as it was before a change. */
export interface Image {
  readonly doc: Doc;
  /** Its length as BSON. */
  readonly size: number;
  /** Bytes that it takes up besides what later versions share with it. */
  readonly bytes: number;
}

/** The events that are still known, oldest first. */
export class History {
  readonly #limits: Limits;
  #events: ChangeEvent[] = [];
  #first = 0;
  #bytes = 0;
  /** Events with images, oldest first, from `#firstImage` on. */
  #images: ChangeEvent[] = [];
  #firstImage = 0;
  #imageBytes = 0;
  /** The databases of which images are kept; `*` stands for all. */
  readonly #imaged = new Set<string>();
  #next = 1;
  #visible = 1;
  #lastTime = 0n;
  readonly #listeners = new Set<() => void>();
  readonly #readers: Readers;
  /** Writers that wait for the readers. */
  readonly #writers = new Set<() => void>();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#readers = new Readers(limits.readerMs, () => this.#makeRoom());
  }

  /** Keeps the events from a number on for a change stream, as long as it goes on reading. */
  openReader(first: number): Reader {
    return this.#readers.open(first);
  }

  /** Open change streams are far behind: writers wait for them. */
  get #isFull(): boolean {
    const { heldEvents, heldBytes } = this.#limits;
    const isLarge = this.#events.length - this.#first > heldEvents / 2 || this.#bytes > heldBytes / 2;
    return isLarge && this.#readers.needs(this.oldest);
  }

  /** Waits until open change streams have read enough for more to be written, for `holdMs` at most; called by the writing command. */
  async room(): Promise<void> {
    if (!this.#isFull) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#writers.delete(go);
        resolve();
      };
      const timer = setTimeout(go, this.#limits.holdMs);
      this.#writers.add(go);
    });
  }

  #makeRoom(): void {
    this.#trim();
    if (this.#writers.size === 0 || this.#isFull) return;
    for (const go of [...this.#writers]) go();
  }

  /** The number that the next event gets. */
  get next(): number {
    return this.#next;
  }

  /** The oldest event that is kept; the next one when none is. */
  get oldest(): number {
    return this.#events[this.#first]?.sequence ?? this.#next;
  }

  /** The time of the newest event. */
  get now(): Timestamp {
    return timestamp(this.#lastTime);
  }

  /** A time later than all before it. */
  tick(): Timestamp {
    const seconds = BigInt(Math.floor(Date.now() / 1000)) << 32n;
    this.#lastTime = seconds > this.#lastTime ? seconds + 1n : this.#lastTime + 1n;
    return timestamp(this.#lastTime);
  }

  /** Keeps images of a database's documents from now on, or of all, because a stream has asked for them. */
  keepImages(db: string | undefined): void {
    this.#imaged.add(db ?? '*');
  }

  /** Makes the next event and keeps it. */
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

  /** Takes an event from the data file. */
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

  /** Forgets the events from a number on: what they tell of was taken back. */
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

  /** Events from one on, as many as are wanted. */
  from(sequence: number, count: number): readonly ChangeEvent[] {
    const start = this.#first + Math.max(0, sequence - this.oldest);
    return this.#events.slice(start, start + count);
  }

  /** The first event that is not before a time; undefined when such ones are no longer kept. */
  at(time: bigint): number | undefined {
    if (this.oldest > 1 && time < this.#oldestTime) return undefined;
    for (let at = this.#first; at < this.#events.length; at += 1) {
      const event = this.#events[at];
      if (event !== undefined && event.time.toBigInt() >= time) return event.sequence;
    }
    return this.#next;
  }

  /** The time of the oldest event that is kept; one that is to come when none is. */
  get #oldestTime(): bigint {
    return this.#events[this.#first]?.time.toBigInt() ?? this.#lastTime + 1n;
  }

  /** An event by its number, when it is kept. */
  get(sequence: number): ChangeEvent | undefined {
    return this.#events[this.#first + sequence - this.oldest];
  }

  /**
   * Whether all that follows on a token is kept. Its time tells whether it is of this history: where a backup was put
   * back, or the data was taken away, other events have the same numbers.
   */
  continues({ sequence, time }: Token): boolean {
    if (sequence === this.oldest - 1) return time < this.#oldestTime;
    return sequence >= this.oldest && this.get(sequence)?.time.toBigInt() === time;
  }

  /** The token of the place before an event. Of an event that is no longer kept no time is known, nor asked for. */
  tokenBefore(sequence: number): Doc {
    const time = sequence > this.oldest ? this.get(sequence - 1)?.time.toBigInt() : undefined;
    return tokenOf({ sequence: sequence - 1, time: time ?? 0n, kind: 'place' });
  }

  /** The first event that streams must not see yet, because it is not on disk. */
  get visible(): number {
    return this.#visible;
  }

  /** Calls back whenever there is something new; the answer ends it. */
  listen(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** Lets streams see the events before one, which are on disk now. */
  announce(before: number): void {
    if (before <= this.#visible) return;
    this.#visible = before;
    for (const callback of [...this.#listeners]) callback();
  }
}

const timestamp = (value: bigint): Timestamp => new TimestampOf(Long.fromBigInt(value, true));
