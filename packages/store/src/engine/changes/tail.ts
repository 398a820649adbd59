/** The latest change events, in memory, with the documents before their changes. */
import type { ChangeEvent } from './event.ts';

/** A list that grows at its end and shrinks at both ends. */
class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  get oldest(): T | undefined {
    return this.#items[this.#first];
  }

  get newest(): T | undefined {
    return this.length > 0 ? this.#items.at(-1) : undefined;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  pop(): T | undefined {
    return this.length > 0 ? this.#items.pop() : undefined;
  }

  shift(): T | undefined {
    const oldest = this.#items[this.#first];
    if (this.length > 0) this.#first += 1;
    if (this.#first > 1000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return oldest;
  }

  at(index: number): T | undefined {
    return this.#items[this.#first + index];
  }

  slice(from: number, count: number): readonly T[] {
    return this.#items.slice(this.#first + from, this.#first + from + count);
  }
}

/** Bytes of the newest events whose values are kept, for change streams that keep up. */
const decodedBytes = 2 * 1024 * 1024;

/** The latest events, oldest first, numbered without gaps. */
export class Tail {
  readonly #maxImageBytes: number;
  readonly #events = new Queue<ChangeEvent>();
  #bytes = 0;
  /** Number of the oldest events without values, and their bytes. */
  #encoded = 0;
  #encodedBytes = 0;
  /** The events with images. */
  readonly #imaged = new Queue<ChangeEvent>();
  #imageBytes = 0;

  /** @param maxImageBytes maximum bytes of the images; the oldest are dropped */
  constructor(maxImageBytes: number) {
    this.#maxImageBytes = maxImageBytes;
  }

  /** Number of events. */
  get length(): number {
    return this.#events.length;
  }

  /** Bytes of the events. */
  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): ChangeEvent | undefined {
    return this.#events.oldest;
  }

  get newest(): ChangeEvent | undefined {
    return this.#events.newest;
  }

  /** Adds the next event. */
  push(event: ChangeEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes.length;
    this.#forgetValues();
    if (event.image === undefined) return;
    this.#imaged.push(event);
    this.#imageBytes += event.image.bytes;
    while (this.#imageBytes > this.#maxImageBytes) this.#dropImage();
  }

  #forgetValues(): void {
    while (this.#bytes - this.#encodedBytes > decodedBytes) {
      const event = this.#events.at(this.#encoded);
      if (event === undefined) return;
      event.dropValues();
      this.#encoded += 1;
      this.#encodedBytes += event.bytes.length;
    }
  }

  /** Removes the oldest event. */
  shift(): void {
    const oldest = this.#events.shift();
    const size = oldest?.bytes.length ?? 0;
    this.#bytes -= size;
    if (this.#encoded > 0) {
      this.#encoded -= 1;
      this.#encodedBytes -= size;
    }
    if (oldest !== undefined && this.#imaged.oldest === oldest) this.#dropImage();
  }

  /** Removes the newest event. */
  pop(): void {
    const newest = this.#events.pop();
    const size = newest?.bytes.length ?? 0;
    this.#bytes -= size;
    if (this.#encoded > this.#events.length) {
      this.#encoded -= 1;
      this.#encodedBytes -= size;
    }
    if (newest?.image === undefined) return;
    this.#imaged.pop();
    this.#imageBytes -= newest.image.bytes;
  }

  #dropImage(): void {
    const oldest = this.#imaged.shift();
    if (oldest === undefined) return;
    this.#imageBytes -= oldest.image?.bytes ?? 0;
    oldest.image = undefined;
  }

  /** Up to a number of events from a number on; empty if the first of them is not here. */
  from(sequence: number, count: number): readonly ChangeEvent[] {
    const at = sequence - (this.oldest?.sequence ?? Number.POSITIVE_INFINITY);
    return at < 0 ? [] : this.#events.slice(at, count);
  }
}
