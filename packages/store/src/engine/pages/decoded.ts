/** What was decoded lately, so that decoding it repeatedly costs once. */

/** Something whose decoded form can be made again. */
interface Decodable {
  /** Bytes of its encoded form. */
  readonly size: number;
  /** Drops the decoded form. */
  forget(): void;
}

/** How many times as many bytes a decoded document takes as its BSON: 1.1 for a long text, 3.5 for many numbers. */
const decodedFactor = 3;
/** Its share of a page that has left the cache, and that its encoded form keeps in memory. */
const pageBytes = 500;

/** A bounded number of bytes in decoded form. The first that came are the first that are dropped. */
export class DecodedForms {
  readonly #limit: number;
  readonly #kept = new Set<Decodable>();
  #bytes = 0;

  /** @param limit maximum estimated bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds what was just decoded. It stays until others were added, however large it is. */
  add(decoded: Decodable): void {
    if (this.#kept.has(decoded)) return;
    this.#kept.add(decoded);
    this.#bytes += memoryOf(decoded);
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#limit || oldest === decoded) return;
      this.#kept.delete(oldest);
      this.#bytes -= memoryOf(oldest);
      oldest.forget();
    }
  }
}

const memoryOf = ({ size }: Decodable): number => size * decodedFactor + pageBytes;
