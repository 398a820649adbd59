/** Keeps what was decoded recently, so that repeated decoding costs only once. */

/** Something whose decoded form can be created again. */
interface Decodable {
  /** Drops the decoded form. */
  dropValues(): void;
}

/** How many times as many bytes the values of a document take as their BSON: 1.1 for a long text, 3.5 for many numbers. */
const decodedFactor = 3;
/** What keeping anything of a document costs besides its values. */
const documentBytes = 600;
/** One of this many is kept where others must be dropped for it. */
const perReplaced = 8;

/** Estimated bytes that the values of a document take. */
export const memoryOf = (stringBytes: number, otherBytes: number): number =>
  stringBytes + otherBytes * decodedFactor + documentBytes;

/** A bounded number of bytes in decoded form. The oldest are dropped first. */
export class DecodedForms {
  readonly #limit: number;
  readonly #forms = new Map<Decodable, number>();
  #bytes = 0;
  #refused = 0;

  /** @param limit maximum estimated bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Whether a form should be kept. Once there is no room, few are: a scan of more documents than there is room for would otherwise replace
   * each of them before it is read again.
   */
  admits(decoded: Decodable, bytes: number): boolean {
    if (this.#bytes + bytes <= this.#limit || this.#forms.has(decoded)) return true;
    this.#refused = (this.#refused + 1) % perReplaced;
    return this.#refused === 0;
  }

  /** Adds what was just decoded, or changes its estimated bytes. It stays until others were added, however large it is. */
  add(decoded: Decodable, bytes: number): void {
    this.#bytes += bytes - (this.#forms.get(decoded) ?? 0);
    this.#forms.set(decoded, bytes);
    for (const [oldest, size] of this.#forms) {
      if (this.#bytes <= this.#limit) return;
      if (oldest === decoded) continue;
      this.#forms.delete(oldest);
      this.#bytes -= size;
      oldest.dropValues();
    }
  }

  /** Drops the forms of what leaves memory: they would not be found again, and would keep the whole page in memory. */
  evict(values: readonly unknown[]): void {
    for (const value of values) {
      if (!(value instanceof Object) || !this.#forms.has(value as Decodable)) continue;
      const decoded = value as Decodable;
      this.release(decoded);
      decoded.dropValues();
    }
  }

  /** Makes room: the form will not be needed for long. */
  release(decoded: Decodable): void {
    this.#bytes -= this.#forms.get(decoded) ?? 0;
    this.#forms.delete(decoded);
  }
}
