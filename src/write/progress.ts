/** What the writes of a request have sent, so that its time limit can end them, and its answer is true of what is stored. */
import { Failure, tookTooLong } from '../errors/errors.ts';
import { fromDatabase, isOutcomeUnknown } from '../models/database-errors.ts';
import type { WriteProgress } from './contract.ts';

/** @param outer that of the request which this one is a part of: what ends it ends this one, and what remains of this one remains of it */
export const makeProgress = (outer?: WriteProgress): WriteProgress => new Progress(outer);

class Progress implements WriteProgress {
  #hasEnded = false;
  #underWay = 0;
  #remains = false;

  constructor(private readonly outer: WriteProgress | undefined) {}

  get hasEnded(): boolean {
    return this.#hasEnded || this.outer?.hasEnded === true;
  }

  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  get mayRemain(): boolean {
    return this.#remains || this.isUnderWay;
  }

  end(): void {
    this.#hasEnded = true;
  }

  check(): void {
    if (this.hasEnded) throw tookTooLong();
  }

  begin(): (remains: boolean) => void {
    this.check();
    const ended = this.outer?.begin();
    this.#underWay += 1;
    return (remains) => {
      this.#underWay -= 1;
      this.#remains ||= remains;
      ended?.(remains);
    };
  }

  async send<T>(send: () => Promise<T>, wrote: (outcome: T) => boolean): Promise<T> {
    const ended = this.begin();
    try {
      const outcome = await send();
      ended(wrote(outcome));
      return outcome;
    } catch (error) {
      ended(isOutcomeUnknown(error));
      throw error;
    }
  }
}

/** The error of a request that has written something, or may have: a 503 that does not ask to send it again, which might do that twice. */
export function unrepeatableError(error: unknown): unknown {
  const failure = fromDatabase(error);
  if (!(failure instanceof Failure) || failure.status !== 503) return error;
  return failure.withoutRetry(
    'this did not end in time, or the database was lost: it may have been done, wholly or in part, so read what it writes before you send it again',
  );
}
