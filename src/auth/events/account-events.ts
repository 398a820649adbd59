/** Passes the events of accounts to all that record them. */
import type { AccountEvents } from './contract.ts';

export const accountEvents = (listeners: readonly AccountEvents[]): AccountEvents => ({
  record(unit, event) {
    for (const listener of listeners) listener.record(unit, event);
  },
  async failed(failure) {
    for (const listener of listeners) await listener.failed(failure);
  },
});
