/** What was decoded last, so that decoding it twice within a short time costs once. */

/** Something whose decoded form can be made again. */
interface Decodable {
  /** Bytes of its encoded form. */
  readonly size: number;
  /** Drops the decoded form. */
  forget(): void;
}

/** How many times as many bytes a decoded document takes as its BSON, at most in most cases. */
const decodedFactor = 4;
/** Bytes of the page that an encoded form is a part of, and that it keeps in memory. */
const pageBytes = 4_096;

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
