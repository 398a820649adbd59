/** Writes and reads the bytes of pages. */

const initialBytes = 4_096;

/** A growing buffer for one page after another. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(initialBytes);
  #first = 0;
  #at = 0;

  /** Ends a page. @returns what was written since the end of the page before; valid until `clear` */
  takePage(): Uint8Array {
    const page = this.#buffer.subarray(this.#first, this.#at);
    this.#first = this.#at;
    return page;
  }

  /** Uses the memory of all pages again. */
  clear(): void {
    this.#first = 0;
    this.#at = 0;
  }

  #reserve(count: number): number {
    const start = this.#at;
    const end = start + count;
    if (end > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, start);
      this.#buffer = larger;
    }
    this.#at = end;
    return start;
  }

  byte(value: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
  }

  uint32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeUInt32LE(value, at);
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  /** Bytes after their length. */
  block(bytes: Uint8Array): void {
    this.uint32(bytes.length);
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }
}

/** A position in bytes whose checksum is right, so that their lengths are too. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  #skip(count: number): number {
    const { length } = this.#bytes;
    const start = this.#at;
    if (start + count > length) throw new Error(`a page ends after ${length} bytes, before its content does`);
    this.#at = start + count;
    return start;
  }

  byte(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  uint32(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  /** Bytes after their length; they share memory with the page. */
  block(): Uint8Array {
    const size = this.uint32();
    const start = this.#skip(size);
    return this.#bytes.subarray(start, start + size);
  }
}
