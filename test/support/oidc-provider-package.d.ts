/** The part of the package `oidc-provider` that tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface OidcContext {
    readonly oidc: { readonly provider: Provider };
  }
  interface Configuration {
    readonly clients: readonly object[];
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly cookies: { readonly keys: readonly string[] };
    readonly features: Readonly<Record<string, object>>;
    findAccount(ctx: OidcContext, id: string): { readonly accountId: string; claims(): object };
    readonly interactions: { url(ctx: OidcContext, interaction: { readonly uid: string }): string };
    loadExistingGrant(ctx: OidcContext): Promise<Grant>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant;
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
  }
}
