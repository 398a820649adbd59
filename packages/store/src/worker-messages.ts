/** The messages between the worker thread and the thread that started it. */
import type { Address } from './wire/address.ts';

/** From the worker thread. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly address: Address }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'parked' }
  | { readonly kind: 'warning' | 'fatal' | 'failed'; readonly message: string };

/** To the worker thread. */
export interface ToWorker {
  /** `park`: answer with `parked`, and do nothing any more. */
  readonly kind: 'stop' | 'park';
}
