/** Splits JSON piece by piece into documents: those of one list, or one behind the other, as in NDJSON. Pure. */

/** The text of a document with the number of its first line. */
export interface JsonText {
  readonly line: number;
  readonly text: string;
}

/** What may stand between documents. */
const between = /[\s,[\]]/;

/** Reads one file. What is no object is a text of its own, up to the end of its line. */
export class JsonReader {
  #text = '';
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #line = 1;
  #begun = 1;

  /** Reads the next piece. @returns the documents that end in it */
  read(piece: string): JsonText[] {
    const found: JsonText[] = [];
    for (const character of piece) {
      if (this.#take(character)) found.push(...this.end());
      if (character === '\n') this.#line++;
    }
    return found;
  }

  /** What is left: a document that is not closed, or nothing. */
  end(): JsonText[] {
    const text = this.#text.trim();
    this.#text = '';
    this.#depth = 0;
    this.#isString = false;
    this.#isEscaped = false;
    return text === '' ? [] : [{ line: this.#begun, text }];
  }

  /** @returns whether a text ends with this character */
  #take(character: string): boolean {
    if (this.#text === '') {
      if (between.test(character)) return false;
      this.#begun = this.#line;
    }
    this.#text += character;
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      // JSON has no line break in a string: the line is malformed, and the next one is read
      else if (character === '\n') return true;
      else if (character === '"') this.#isString = false;
      return false;
    }
    if (character === '"') this.#isString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') return --this.#depth <= 0;
    return character === '\n' && this.#depth === 0;
  }
}
