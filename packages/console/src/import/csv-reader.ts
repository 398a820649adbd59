/** Reads CSV (RFC 4180) piece by piece, so that a large file is never whole in memory. Pure. */

/** A record with the number of its first line. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** What the reader is in: before or in a plain cell, in quotes, or behind a quote that ends them or is doubled. */
type State = 'start' | 'plain' | 'quoted' | 'quote';

/**
 * The delimiter that the first line of a text names, as spreadsheets write it (`sep=;`), or that occurs most often in it outside of quotes; a
 * comma where none does.
 */
export function delimiterOf(text: string): Delimiter {
  const [, separator] = /^sep=([,;\t|])[\r\n]/.exec(text) ?? [];
  if (separator !== undefined) return separator as Delimiter;
  const [header = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r\n|\n|\r/, 1);
  const counts = delimiters.map((one) => header.split(one).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Reads one file. Lines whose cells are all empty, and a first line that names the delimiter, are left out. */
export class CsvReader {
  #state: State = 'start';
  #cell = '';
  #cells: string[] = [];
  #line = 1;
  #begun = 1;
  #isReturn = false;

  constructor(readonly delimiter: Delimiter) {}

  /** Reads the next piece of the text. @returns the records that end in it */
  read(piece: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (const character of piece) this.#take(character, records);
    return records;
  }

  /** The last record, where the text does not end with a line break. @throws Error for a quote that is not closed */
  end(): CsvRecord[] {
    if (this.#state === 'quoted')
      throw new Error(`The quote that begins in the record of line ${this.#begun} is not closed.`);
    const records: CsvRecord[] = [];
    this.#endRecord(records);
    return records;
  }

  #take(character: string, records: CsvRecord[]): void {
    const isSecond = character === '\n' && this.#isReturn;
    this.#isReturn = character === '\r';
    const isBreak = character === '\r' || character === '\n';
    if (isBreak && !isSecond) this.#line++;
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'quote';
      else this.#cell += character;
    } else if (isBreak) {
      if (!isSecond) this.#endRecord(records);
    } else if (character === this.delimiter) this.#endCell();
    else if (character === '"' && this.#state !== 'plain') {
      // doubled within quotes it is itself
      if (this.#state === 'quote') this.#cell += '"';
      this.#state = 'quoted';
    } else {
      this.#cell += character;
      this.#state = 'plain';
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  #endRecord(records: CsvRecord[]): void {
    this.#endCell();
    const [first, ...others] = this.#cells;
    const isSeparator = this.#begun === 1 && first === 'sep=' && others.join() === '';
    const isEmpty = this.#cells.every((cell) => /^[ \t\r\n]*$/.test(cell));
    if (!isEmpty && !isSeparator) records.push({ line: this.#begun, cells: this.#cells });
    this.#cells = [];
    this.#begun = this.#line;
  }
}
