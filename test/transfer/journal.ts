/** What writers have sent to a database and what was acknowledged, so that a copy of a moment can be judged. */
import { expect } from '@jest/globals';

/** A value of a document; undefined if it does not exist. */
type State = number | undefined;

interface Entry {
  /** All states that were sent, in their order; the first one is that it does not exist. */
  readonly sent: State[];
  /** Which of them was the last that was acknowledged. */
  acknowledged: number;
}

/** Which state of each document was acknowledged at one moment. */
export type Moment = ReadonlyMap<string, number>;

/** The writes of documents, each of which has one writer, who waits for an answer before the next write. */
export class Journal {
  readonly #entries = new Map<string, Entry>();

  /** The last state that was sent. */
  last(id: string): State {
    return this.#entries.get(id)?.sent.at(-1);
  }

  /** Sends a state. It counts as acknowledged when `write` returns. @throws what `write` throws */
  async send(id: string, state: State, write: () => Promise<unknown>): Promise<void> {
    const entry = this.#entries.get(id) ?? { sent: [undefined], acknowledged: 0 };
    this.#entries.set(id, entry);
    const at = entry.sent.push(state) - 1;
    await write();
    entry.acknowledged = at;
  }

  /** This moment. */
  now(): Moment {
    return new Map([...this.#entries].map(([id, { acknowledged }]) => [id, acknowledged]));
  }

  /** Checks documents against what was acknowledged at a moment: each has that state, or one that was sent later. */
  judge(found: ReadonlyMap<string, number>, moment: Moment): void {
    const wrong = [...new Set([...found.keys(), ...this.#entries.keys()])].filter((id) => {
      const { sent = [undefined] } = this.#entries.get(id) ?? {};
      return !sent.slice(moment.get(id) ?? 0).includes(found.get(id));
    });
    expect(wrong.map((id) => ({ id, found: found.get(id), ...this.#entries.get(id) }))).toEqual([]);
  }

  /** The least and the most documents that a copy which began at a moment may have. */
  counts(moment: Moment): readonly [number, number] {
    const later = [...this.#entries].map(([id, { sent }]) => sent.slice(moment.get(id) ?? 0));
    const exists = (state: State): boolean => state !== undefined;
    return [later.filter((sent) => sent.every(exists)).length, later.filter((sent) => sent.some(exists)).length];
  }

  /** The number of acknowledged states. */
  get size(): number {
    return [...this.#entries.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }
}
