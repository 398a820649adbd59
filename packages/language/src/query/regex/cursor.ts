/** A cursor over the text of a regular expression. */
import { StoreError } from '../../errors.ts';

/** The error of an invalid regular expression. */
export const invalid = (reason: string): StoreError =>
  new StoreError(51091, `Regular expression is invalid: ${reason}`);

/** Reads a text from left to right. */
export class Cursor {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.at >= this.#text.length;
  }

  /** The current character, without reading it; empty at the end. */
  get peek(): string {
    return this.done ? '' : String.fromCodePoint(this.#text.codePointAt(this.at) ?? 0);
  }

  /** Reads one character. @param reason the error at the end of the text */
  next(reason: string): string {
    if (this.done) throw invalid(reason);
    const letter = this.peek;
    this.at += letter.length;
    return letter;
  }

  /** Reads a given text, if it is next. */
  skip(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Reads what a sticky pattern matches, if it does. */
  take(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.#text) ?? undefined;
    if (found !== undefined) this.at += found[0].length;
    return found;
  }
}
