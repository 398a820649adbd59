/** Counts the records of comma-separated text (RFC 4180) as its bytes come. Pure. */

const [quote, newLine] = [0x22, 0x0a];

export class RecordCounter {
  /** Records that have ended, the header included. */
  records = 0;
  #isQuoted = false;
  #last: number | undefined;

  add(bytes: Uint8Array): void {
    for (const byte of bytes)
      if (byte === quote) this.#isQuoted = !this.#isQuoted;
      else if (byte === newLine && !this.#isQuoted) this.records++;
    this.#last = bytes.at(-1) ?? this.#last;
  }

  /** Whether the text so far ends with the end of a record. */
  get isWhole(): boolean {
    return !this.#isQuoted && this.#last === newLine;
  }
}
