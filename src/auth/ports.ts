/** What features add to accounts and to the ways of signing in, and the one listener that reports to all. */
import type { KnownUser } from '../policy/principal.ts';
import type { RecorderParts } from '../ports/parts.ts';
import { port } from '../ports/port.ts';
import type { Settings } from '../settings/types.ts';
import type { AuthMethod, EmailProof, FactorCheck, StoredKeys } from './contract.ts';
import type { AuthCore } from './core.ts';
import type { AddedPurpose } from './credentials/jwt.ts';
import type { AccountEvents } from './events/contract.ts';

/** Receives the events of accounts, such as logins. */
export const accountListener = port<RecorderParts, AccountEvents>('listener to accounts');

/** Keys besides the permanent ones of users. */
export const storedKeys = port<AuthCore, StoredKeys>('stored keys');

/** A method of signing in, besides those of the core. */
export const authMethod = port<AuthCore, AuthMethod>('method of signing in');

/** Checks second factors; of one feature. Undefined where users with a second factor are refused. */
export const factorCheck = port<AuthCore, FactorCheck | undefined>('check of second factors', undefined);

/** Says whether a user must have a second factor. */
export const factorRule = port<Settings, (user: KnownUser) => boolean>('rule of second factors');

/** Asks users to prove a new email; of one feature. Undefined where the settings do not require it. */
export const emailProof = port<AuthCore, EmailProof | undefined>('proof of emails', undefined);

/** Whether people may create accounts of their own, with values that they choose. */
export const openToNewUsers = port<Settings, boolean>('accounts of their own');

/** A purpose of JWTs. */
export const jwtPurpose = port<void, AddedPurpose>('purpose of JWTs');

export const accountEvents = (listeners: readonly AccountEvents[]): AccountEvents => ({
  record(unit, event) {
    for (const listener of listeners) listener.record(unit, event);
  },
  async failed(failure) {
    for (const listener of listeners) await listener.failed(failure);
  },
});
