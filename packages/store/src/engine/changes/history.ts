/**
 * The change events for change streams. A store on disk keeps them in its data file, for a time and up to a size, and
 * the latest in memory too. A store in memory keeps fewer, and more of them while an open change stream has not read
 * the oldest.
 */
import type { Timestamp } from 'bson';
import { Long, Timestamp as TimestampOf } from 'bson';
import { decode, type Doc, encode } from 'dossier-language/values';
import type { EventLog, PutEvent } from '../../storage/storage.ts';
import type { Limits } from '../limits.ts';
import { ChangeEvent, type Image, ownCopy } from './event.ts';
import { type Reader, Readers } from './readers.ts';
import { Tail } from './tail.ts';
import { type Token, tokenOf } from './token.ts';

/** Maximum bytes that are read from the data file at once. */
const readBytes = 1024 * 1024;
/** The part of the log that is removed once it is full, so that this happens rarely. */
const removedPart = 1 / 64;

/** The retained events. */
export class History {
  readonly #limits: Limits;
  readonly #log: EventLog | undefined;
  readonly #onDamage: (error: unknown) => void;
  readonly #tail: Tail;
  /** The number of the oldest retained event, and the total before it. */
  #oldest = 1;
  #totalBefore = 0;
  #next = 1;
  /** The total of the newest event. */
  #total = 0;
  #visible = 1;
  #lastTime = 0n;
  /** The time of the newest visible event. */
  #visibleTime = 0n;
  /** The databases whose images are kept; `*` means all. */
  readonly #imaged = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #readers: Readers;
  /** Writers that wait for readers. */
  readonly #writers = new Set<() => void>();

  /**
   * @param log the events in the data file, if the store is on disk
   * @param onDamage called with the error of events that cannot be read
   */
  constructor(limits: Limits, log?: EventLog, onDamage: (error: unknown) => void = () => undefined) {
    this.#onDamage = onDamage;
    this.#limits = limits;
    this.#log = log;
    this.#tail = new Tail(limits.imageBytes);
    this.#readers = new Readers(limits.readerMs, () => this.#makeRoom());
  }

  /** Continues after the events of the data file. */
  load(): void {
    const last = this.#log?.last;
    if (last === undefined) return;
    this.#next = last.sequence + 1;
    this.#visible = this.#next;
    this.#total = last.total;
    this.#lastTime = eventOf(last).time.toBigInt();
    this.#visibleTime = this.#lastTime;
    this.#oldest = this.#log?.first ?? this.#next;
    const oldest = this.get(this.#oldest);
    this.#totalBefore = oldest === undefined ? this.#total : oldest.total - oldest.bytes.length;
  }

  /** Keeps the events from a number on for a change stream, as long as it keeps reading. */
  openReader(first: number): Reader {
    return this.#readers.open(first);
  }

  /** Whether open change streams are so far behind that writers must wait. */
  get #isFull(): boolean {
    const { heldEvents, heldBytes, eventLogBytes } = this.#limits;
    if (this.#log === undefined) {
      const isLarge = this.#tail.length > heldEvents / 2 || this.#tail.bytes > heldBytes / 2;
      return isLarge && this.#readers.needs(this.oldest);
    }
    if (this.#total - this.#totalBefore <= eventLogBytes / 2) return false;
    const { lowest } = this.#readers;
    if (lowest < this.#oldest || lowest >= this.#next) return false;
    return this.#total - (this.get(lowest)?.total ?? this.#total) > eventLogBytes / 2;
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
    return this.#oldest;
  }

  /** The time of the newest event. */
  get now(): Timestamp {
    return timestamp(this.#lastTime);
  }

  /** The time of the newest event on disk: all acknowledged writes have it or an earlier one, those under way a later one. */
  get visibleNow(): Timestamp {
    return timestamp(this.#visibleTime);
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
    const bytes = ownCopy(encode(doc));
    this.#total += bytes.length;
    const place = { sequence: this.#next, total: this.#total, bytes };
    const event = new ChangeEvent(place, doc, this.#imaged.has('*') || this.#imaged.has(db) ? image : undefined);
    this.#tail.push(event);
    this.#next = event.sequence + 1;
    this.#trim();
    return event;
  }

  #trim(): void {
    const { historyEvents, historyBytes } = this.#limits;
    while (this.#isOver(historyEvents, historyBytes) && this.#mayDrop()) this.#tail.shift();
    if (this.#log === undefined) this.#oldest = this.#tail.oldest?.sequence ?? this.#next;
    else this.#pruneBySize(this.#limits.eventLogBytes);
  }

  /** Whether the oldest event of the tail may go: it is on disk, or no change stream may hold it any longer. */
  #mayDrop(): boolean {
    const { heldEvents, heldBytes } = this.#limits;
    const sequence = this.#tail.oldest?.sequence ?? this.#next;
    if (this.#log !== undefined) return sequence < this.#visible;
    return this.#isOver(heldEvents, heldBytes) || !this.#readers.needs(sequence);
  }

  #isOver(maxEvents: number, maxBytes: number): boolean {
    const { length, bytes } = this.#tail;
    return length > maxEvents || (length > 0 && bytes > maxBytes);
  }

  #pruneBySize(maxBytes: number): void {
    if (this.#total - this.#totalBefore <= maxBytes) return;
    const kept = maxBytes * (1 - removedPart);
    this.#dropBefore(this.#first(({ total }) => this.#total - total < kept));
  }

  /**
   * Removes the events that are too old from a store on disk, from the data file in small steps.
   * @param pause called between two steps
   */
  async prune(now: number, pause: () => Promise<void>): Promise<void> {
    if (this.#log === undefined || this.#oldest === this.#next) return;
    const since = BigInt(Math.floor(now / 1000 - this.#limits.eventLogHours * 3600)) << 32n;
    if (this.#oldestTime < since) this.#dropBefore(this.#first(({ time }) => time.toBigInt() >= since));
    while (this.#log.prune(this.#oldest)) await pause();
  }

  /** Drops the events before a number. The newest one on disk stays: numbers and times continue from it. */
  #dropBefore(sequence: number): void {
    const oldest = this.get(Math.min(sequence, this.#visible - 1));
    if (oldest === undefined) return;
    this.#oldest = oldest.sequence;
    this.#totalBefore = oldest.total - oldest.bytes.length;
  }

  /** The first retained event for which a condition holds that holds for all later ones too; the next event if none. */
  #first(holds: (event: ChangeEvent) => boolean): number {
    let [low, high] = [this.#oldest, this.#next];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const event = this.get(middle);
      if (event === undefined || holds(event)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Removes the events from a number on, which are not on disk, after a rollback. */
  cut(from: number): void {
    while ((this.#tail.newest?.sequence ?? 0) >= from) {
      this.#total -= this.#tail.newest?.bytes.length ?? 0;
      this.#tail.pop();
    }
    this.#next = Math.min(this.#next, from);
  }

  /** Up to `count` events from a number on, at least one if it is retained. */
  from(sequence: number, count: number): readonly ChangeEvent[] {
    const found = this.#tail.from(sequence, count);
    if (found.length > 0 || this.#log === undefined || sequence < this.#oldest || sequence >= this.#visible)
      return found;
    const before = Math.min(sequence + count, this.#tail.oldest?.sequence ?? this.#next);
    try {
      return this.#log.read(sequence, before, readBytes).map(eventOf);
    } catch (error) {
      this.#onDamage(error);
      throw error;
    }
  }

  /** The first event at or after a time; undefined if older events than those retained would be needed. */
  at(time: bigint): number | undefined {
    if (this.oldest > 1 && time < this.#oldestTime) return undefined;
    return this.#first((event) => event.time.toBigInt() >= time);
  }

  /** The time of the oldest retained event; a future time if none is retained. */
  get #oldestTime(): bigint {
    return this.get(this.#oldest)?.time.toBigInt() ?? this.#lastTime + 1n;
  }

  /** A retained event by its number. */
  get(sequence: number): ChangeEvent | undefined {
    return sequence < this.#oldest ? undefined : this.from(sequence, 1)[0];
  }

  /**
   * Whether all events after a token are retained. The token's time shows whether it belongs to this history: after a restored backup or
   * deleted data, other events have the same numbers.
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

  /** Makes the events before a number visible, after they reached the disk. @param time of the last one */
  announce(before: number, time: Timestamp): void {
    if (before <= this.#visible) return;
    this.#visible = before;
    this.#visibleTime = time.toBigInt();
    this.#trim();
    for (const callback of [...this.#listeners]) callback();
  }
}

const timestamp = (value: bigint): Timestamp => new TimestampOf(Long.fromBigInt(value, true));

/** An event of the data file. */
const eventOf = (put: PutEvent): ChangeEvent => new ChangeEvent(put, decode(put.bytes));
