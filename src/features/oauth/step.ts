/** The dependencies and the results of a login at a provider. */

/** Creates and checks the state and the PKCE verifier. */
export interface StateStore {
  store(verifier: string): string;
  verify(state: string): Promise<string | undefined>;
}

/** The parameters with which the provider has sent the browser back; none at the beginning of a login. */
export interface Query {
  readonly code?: string;
  readonly state?: string;
  /** The issuer, which some providers add (RFC 9207). */
  readonly iss?: string;
}

/** The address to redirect the browser to, or the profile after the callback. */
export type Outcome = { readonly url: string } | { readonly profile: unknown };

/** The state was not issued to this browser for this provider, has expired, or has been used. */
export class StateNotValid extends Error {
  constructor() {
    super('the state is not valid');
    this.name = 'StateNotValid';
  }
}
