/** Checks during a read whether the rows fit into an answer, so that the read stops as soon as they do not. */
import { answerTooLarge } from '../errors.ts';
import type { Presentation } from '../policy/presentation.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import { DocumentWriter } from './bytes/writer.ts';
import type { RowsPlan } from './plan-types.ts';
import { presentationOf } from './presentation-of.ts';

/** The initial capacity for the JSON of one row in bytes. */
const roomAtFirst = 16_384;

/**
 * Rows whose stored size is small in total are accepted unmeasured. Beyond the limit the JSON of each row is measured, because
 * stored values can be larger than their JSON.
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

  /** @throws 413 when the rows exceed the size limit of an answer */
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
