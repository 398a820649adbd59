/** The hooks of a config for new accounts and verified addresses (docs/hooks.md). */
import type { Api } from '../../api/contract.ts';
import type { ConfigCheck, FeatureConfig } from '../../settings/row.ts';

/** The document of a user as `api.as('system')` reads it: with texts for ids and dates, and without the hash of the password. */
interface UserDocument {
  readonly _id: string;
  readonly id: string;
  /** Missing for a user without one. */
  readonly email?: string;
  readonly [field: string]: unknown;
}

/** What `signed_up` receives. */
interface SignedUp {
  readonly user: UserDocument;
  /** Acts as the caller, and writes in the unit of the write. */
  readonly api: Api;
}

/** What `verified` receives. */
interface Verified extends SignedUp {
  readonly email: string;
}

/** Runs for each account that someone has created by signing up. */
export type SignedUpHook = (account: SignedUp) => unknown;

/** Runs for each address that counts as verified from now on. */
export type VerifiedHook = (verified: Verified) => unknown;

/** @param name the key of the config */
const faultsOf =
  <Hook>(name: string): ConfigCheck<Hook | readonly Hook[]> =>
  (value) =>
    [value].flat().every((one) => typeof one === 'function')
      ? []
      : [`${name} must be a function or a list of functions`];

export const accountHooksConfig = {
  sections: { signed_up: faultsOf<SignedUpHook>('signed_up'), verified: faultsOf<VerifiedHook>('verified') },
} as const satisfies FeatureConfig;
