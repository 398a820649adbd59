/** A page of entries as JSON: as many from the first one on as an answer has room for. */
import type { EncodedAnswer } from '../../core.ts';
import { answerFor } from '../../read/encode.ts';
import type { SeenEntry } from './visible.ts';

/** Bytes of an answer for what is beside its entries. */
const reserve = 2048;

/** An entry, and what the cursor of the entries behind it has. */
interface Placed<Place> {
  readonly place: Place;
  readonly bytes: Buffer;
}

/** Takes entries in any order. It never holds more than an answer and one entry. */
export class EntriesPage<Place> {
  readonly #entries = new Map<number, Placed<Place>>();
  #bytes = 0;
  /** The first position that an answer has no room for. */
  #end = Infinity;

  constructor(
    readonly limit: number,
    private readonly maxBytes: number,
  ) {}

  /** Whether an entry with a position may be in the page. */
  mayHave(position: number): boolean {
    return position < this.#end;
  }

  /** Whether no further entries are wanted: there are more than the limit, or more than an answer has room for. */
  get isFull(): boolean {
    return this.#entries.size > this.limit || this.#end !== Infinity;
  }

  /** @param position from the beginning of the list @param place of the entry, for a cursor */
  add(position: number, place: Place, entry: SeenEntry & { readonly id?: string }): void {
    if (!this.mayHave(position)) return;
    const room = this.maxBytes - reserve;
    const whole = encoded(entry);
    const bytes = whole.length > room ? encoded({ ...entry, changes: [], omitted: true }) : whole;
    this.#entries.set(position, { place, bytes });
    this.#bytes += bytes.length;
    while (this.#bytes > room && this.#entries.size > 1) this.#removeLast();
  }

  #removeLast(): void {
    const last = Math.max(...this.#entries.keys());
    this.#bytes -= this.#entries.get(last)?.bytes.length ?? 0;
    this.#entries.delete(last);
    this.#end = last;
  }

  /** The answer. @param cursorOf makes the cursor of what comes after a place */
  answer(cursorOf: (place: Place) => string): EncodedAnswer {
    const sorted = [...this.#entries].sort(([one], [other]) => one - other).map(([, placed]) => placed);
    const shown = sorted.slice(0, this.limit);
    const last = this.isFull ? shown.at(-1) : undefined;
    const out = answerFor(
      shown.map(({ bytes }) => bytes),
      this.maxBytes,
    );
    out.ascii('{"data":[');
    for (const { bytes } of shown) {
      out.copy(bytes, 0, bytes.length);
      out.comma();
    }
    out.close(closingBracket);
    out.json(`,"limit":${this.limit}`);
    out.json(last === undefined ? '}' : `,"next_cursor":${JSON.stringify(cursorOf(last.place))}}`);
    return { body: out.written, headers: {} };
  }
}

const closingBracket = 0x5d;

const encoded = (entry: SeenEntry): Buffer => Buffer.from(JSON.stringify(entry));
