/** Signals that many listeners may wait for, such as those of the commands of one run. Node warns of more than ten by default. */
import { setMaxListeners } from 'node:events';

export function withoutLimit(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

/** Aborted when one of the signals is. */
export const anyOf = (...signals: readonly AbortSignal[]): AbortSignal => withoutLimit(AbortSignal.any([...signals]));
