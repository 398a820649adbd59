/** Whether rows that are still being read fit an answer: so that reading stops where it is known that they don't. */
import { answerTooLarge } from '../errors.ts';
import type { Presentation } from '../policy/presentation.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import { DocumentWriter } from './bytes/writer.ts';
import type { RowsPlan } from './plan-types.ts';
import { presentationOf } from './presentation-of.ts';

/** Bytes of one row's JSON that there is room for before it grows. */
const roomAtFirst = 16_384;

/**
 * Rows that together are small as they are stored are taken as they are; from there on each one's JSON is measured, since stored
 * values can be larger than what is shown of them.
 * @param most bytes of an answer
 */
export class HeldRows {
  readonly rows: Buffer[] = [];
  readonly #shown: Presentation;
  readonly #most: number;
  #stored = 0;
  #measured = 0;
  #written = 0;

  constructor(plan: RowsPlan, most: number) {
    this.#shown = presentationOf(plan);
    this.#most = most;
  }

  /** @throws 413 when the rows are more than an answer may hold */
  add(rows: readonly Buffer[]): void {
    for (const row of rows) {
      this.rows.push(row);
      this.#stored += row.length;
    }
    if (this.#stored > this.#most) this.#measure();
  }

  #measure(): void {
    const out = new JsonBytes(roomAtFirst, this.#most);
    const writer = new DocumentWriter(out, this.#shown);
    for (const row of this.rows.slice(this.#measured)) {
      writer.row(row);
      this.#written += out.length;
      if (this.#written > this.#most) throw answerTooLarge(this.#most);
      out.remove(0, out.length);
    }
    this.#measured = this.rows.length;
  }
}
