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
