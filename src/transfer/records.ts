/**
 * Splits a file of JSON documents into records without parsing them: one document a line, documents over several lines, or one list
 * of documents. A broken record does not affect the next one. Bytes are held only until their record ends.
 */

/** A record of a file: its text, or why it cannot be read. */
export type FileRecord<T = string> =
  | { readonly line: number; readonly content: T; readonly fault?: undefined }
  | { readonly line: number; readonly fault: string };

/**
 * Bytes of one record. A document of 16 MB, MongoDB's limit, is several times longer in Extended JSON.
 * Levels of nesting: MongoDB's limit of 100, and those of Extended JSON's own objects.
 */
export const recordLimits = { bytes: 64 * 1024 * 1024, levels: 220 } as const;

/** `lines`: documents one after the other; `detect`: also one list, which begins with `[`. */
export type RecordForm = 'lines' | 'detect';

const code = (character: string): number => character.charCodeAt(0);
const [newline, quote, backslash, comma] = [code('\n'), code('"'), code('\\'), code(',')];
const [openList, closeList, openObject, closeObject] = [code('['), code(']'), code('{'), code('}')];
/** Spaces, and the bytes of a byte order mark. */
const blank: ReadonlySet<number> = new Set([code(' '), code('\t'), code('\r'), newline, 0xef, 0xbb, 0xbf]);

/** @param maxBytes of one record */
export async function* recordsOf(
  bytes: AsyncIterable<Uint8Array>,
  form: RecordForm,
  maxBytes: number = recordLimits.bytes,
): AsyncGenerator<FileRecord, void, void> {
  const splitter = new Splitter(form, maxBytes);
  for await (const piece of bytes) yield* splitter.add(piece);
  yield* splitter.end();
}

class Splitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #form: RecordForm | 'list' | 'ended';
  /** The line that is read, and that of the record's first character. */
  #line = 1;
  #first = 0;
  #held: Uint8Array[] = [];
  #size = 0;
  #depth = 0;
  #deepest = 0;
  #inText = false;
  #escaped = false;
  #lineStart = true;

  constructor(form: RecordForm, maxBytes: number) {
    this.#form = form;
    this.#maxBytes = maxBytes;
  }

  *add(piece: Uint8Array): Generator<FileRecord, void, void> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      const cut = this.#read(byte);
      if (cut !== 'none') {
        this.#hold(piece.subarray(start, at));
        yield* this.#take();
        // what separates records is no part of them
        start = cut === 'before' ? at : at + 1;
        if (cut === 'before') this.#read(byte);
      }
      if (byte === newline) this.#line += 1;
    }
    this.#hold(piece.subarray(start));
  }

  *end(): Generator<FileRecord, void, void> {
    yield* this.#take();
    if (this.#form === 'list') yield { line: this.#line, fault: 'the list is not closed: the file ends too early' };
  }

  /** Reads one byte. @returns whether a record ends with it, or before it */
  #read(byte: number): 'none' | 'at' | 'before' {
    const isFirst = this.#lineStart;
    this.#lineStart = byte === newline;
    // a document at the beginning of a line is never a part of another one: a newline in a text is escaped
    if (isFirst && byte === openObject && this.#first !== 0 && this.#form !== 'list') return 'before';
    if (this.#inText) return this.#readText(byte);
    if (this.#first === 0 && this.#begins(byte)) return 'at';
    if (byte === quote) this.#inText = true;
    else if (byte === openObject || byte === openList) this.#open();
    else if (byte === closeObject || byte === closeList) return this.#close();
    else if (byte === comma) return this.#form === 'list' && this.#depth === 0 ? 'at' : 'none';
    return byte === newline && this.#depth <= 0 && this.#form !== 'list' ? 'at' : 'none';
  }

  #readText(byte: number): 'none' | 'at' {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inText = false;
    // in lines a text that is not closed ends with its line
    return byte === newline && this.#form !== 'list' ? 'at' : 'none';
  }

  /** Notes where a record begins. @returns whether the byte opens the list of all records */
  #begins(byte: number): boolean {
    if (blank.has(byte)) return false;
    if (this.#form === 'detect') {
      this.#form = byte === openList ? 'list' : 'lines';
      if (this.#form === 'list') return true;
    }
    const isEmpty = this.#form === 'list' && (byte === closeList || byte === comma);
    if (!isEmpty) this.#first = this.#line;
    return false;
  }

  #open(): void {
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
  }

  #close(): 'none' | 'at' {
    this.#depth -= 1;
    if (this.#form !== 'list' || this.#depth >= 0) return 'none';
    this.#form = 'ended';
    return 'at';
  }

  #hold(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) this.#held = [];
    else if (bytes.length > 0) this.#held.push(bytes);
  }

  /** The record that has ended, unless it is empty. */
  *#take(): Generator<FileRecord, void, void> {
    const [line, size, deepest, held] = [this.#first, this.#size, this.#deepest, this.#held];
    this.#held = [];
    this.#size = this.#first = this.#depth = this.#deepest = 0;
    this.#inText = this.#escaped = false;
    if (line === 0) return;
    if (size > this.#maxBytes) yield { line, fault: `is longer than ${this.#maxBytes} bytes` };
    else if (deepest > recordLimits.levels) yield { line, fault: `has more than ${recordLimits.levels} levels` };
    else yield this.#decoded(line, Buffer.concat(held));
  }

  #decoded(line: number, bytes: Uint8Array): FileRecord {
    try {
      return { line, content: this.#decoder.decode(bytes).trim() };
    } catch {
      return { line, fault: 'is not UTF-8' };
    }
  }
}
