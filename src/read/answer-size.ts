/** Checks during a read whether the rows fit into an answer, so that the read stops as soon as they do not. */
import { answerTooLarge } from '../errors/errors.ts';
import type { Presentation } from '../policy/presentation.ts';
import { DocumentEncoder } from './bytes/document-encoder.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import type { RowsPlan } from './plan-types.ts';

/** The initial capacity for the JSON of one row in bytes. */
const roomAtFirst = 16_384;

/**
 * Rows whose stored size is small in total are accepted unmeasured. Beyond the limit the JSON of each row is measured, because
 * stored values can be larger than their JSON.
 * @param maxBytes bytes of an answer
 */
export class SizeLimitedRows {
  readonly rows: Buffer[] = [];
  readonly #shown: Presentation;
  readonly #maxBytes: number;
  #stored = 0;
  #measured = 0;
  #written = 0;

  constructor(plan: RowsPlan, maxBytes: number) {
    this.#shown = plan.presentation;
    this.#maxBytes = maxBytes;
  }

  /** @throws 413 when the rows exceed the size limit of an answer */
  add(rows: readonly Buffer[]): void {
    for (const row of rows) {
      this.rows.push(row);
      this.#stored += row.length;
    }
    if (this.#stored > this.#maxBytes) this.#measure();
  }

  #measure(): void {
    const out = new JsonBytes(roomAtFirst, this.#maxBytes);
    const encoder = new DocumentEncoder(out, this.#shown);
    for (const row of this.rows.slice(this.#measured)) {
      encoder.row(row);
      this.#written += out.length;
      if (this.#written > this.#maxBytes) throw answerTooLarge(this.#maxBytes);
      out.remove(0, out.length);
    }
    this.#measured = this.rows.length;
  }
}
