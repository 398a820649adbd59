/** Signals that many listeners may wait for, such as those of the commands of one run. Node warns of more than ten by default. */
import { setMaxListeners } from 'node:events';

export function withoutLimit(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

/** A signal with a time limit, for work that ends long before it: nothing remains of it then. */
interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Whether the time has passed. */
  readonly isLate: () => boolean;
  /** Ends the limit, when the work has ended. */
  readonly release: () => void;
}

/** @param outer aborts the signal, too @param milliseconds until it is aborted */
export function withLimit(outer: AbortSignal, milliseconds: number): LimitedSignal {
  const inner = new AbortController();
  let isLate = false;
  const end = (): void => inner.abort(outer.reason);
  const timer = setTimeout(() => {
    isLate = true;
    inner.abort(new Error('the time limit has passed'));
  }, milliseconds);
  if (outer.aborted) end();
  else outer.addEventListener('abort', end, { once: true });
  return {
    signal: withoutLimit(inner.signal),
    isLate: () => isLate,
    release() {
      clearTimeout(timer);
      outer.removeEventListener('abort', end);
    },
  };
}

/** Aborted when one of the signals is. */
export const anyOf = (...signals: readonly AbortSignal[]): AbortSignal => withoutLimit(AbortSignal.any([...signals]));

/** A stop of its own inside of others. Its signal is made when something looks at it: most work ends before that, and making one costs as much as a part of a read. */
export class InnerStop {
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #isAborted = false;

  /** @param outer the signals that abort it, too */
  constructor(private readonly outer: () => readonly AbortSignal[]) {}

  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    this.#controller = new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return (this.#signal = anyOf(...this.outer(), this.#controller.signal));
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
