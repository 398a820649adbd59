/**
 * Jobs that run one at a time. The promise of a run exists before the job begins: a job that is asked for again while it starts, by its
 * own first steps, is not started twice.
 */

/** The promise of a run, and what begins it. What the job throws at once rejects the promise too. */
interface Run<T> {
  readonly outcome: Promise<T>;
  readonly begin: () => void;
}

function runOf<T>(job: () => Promise<T>): Run<T> {
  let settle: (outcome: Promise<T>) => void = () => undefined;
  const outcome = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { outcome, begin: () => settle((async () => job())()) };
}

/** One job at a time: a call while one runs joins it. */
export class SingleFlight<T> {
  #running: Promise<T> | undefined;

  /** The run that has begun and not ended. */
  get running(): Promise<T> | undefined {
    return this.#running;
  }

  /** Starts the job, or joins the run that has begun. */
  run(job: () => Promise<T>): Promise<T> {
    if (this.#running !== undefined) return this.#running;
    const { outcome, begin } = runOf(async () => {
      try {
        return await job();
      } finally {
        this.#running = undefined;
      }
    });
    this.#running = outcome;
    begin();
    return outcome;
  }
}

/** A job that runs once: every call gets the promise of the one run, also after its end. */
export function once<T>(job: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    if (kept !== undefined) return kept;
    const { outcome, begin } = runOf(job);
    kept = outcome;
    begin();
    return outcome;
  };
}
