/** Logins at OAuth and OpenID providers (docs/oauth.md). */
import {
  type Answer,
  type Feature,
  type InternalModel,
  internalSchema,
  jwtPurpose,
  objectId,
  openAccess,
  type OperationGroup,
  ownService,
  type PlainOperation,
  provide,
  redirect,
} from '../../core.ts';
import { oauthConfig } from './config.ts';
import { type OAuthStep, providerLogin, providerLogins } from './provider-logins.ts';

const input = { freeQuery: true } as const;

const oauthOperations: OperationGroup = {
  title: 'OAuth',
  after: 'Passwords',
  secret: true,
  operations: [
    {
      name: 'oauth.start',
      http: { method: 'GET', path: '/login/oauth/:provider' },
      summary: 'Sends the browser to the provider',
      access: openAccess('this is where callers sign in'),
      input,
      answers: { 302: 'none' },
      run: async ({ services, params }) => step(await services.of(providerLogins).start(params['provider'] ?? '')),
    },
    {
      name: 'oauth.finish',
      http: { method: 'GET', path: '/login/oauth/callback/:provider' },
      summary: 'Sends the browser to success_uri or fail_uri',
      effect: 'write',
      access: openAccess('the provider sends browsers here; the operation itself verifies the state'),
      input,
      answers: { 302: 'none' },
      run: async ({ services, params, query, headers, address }) =>
        step(await services.of(providerLogins).finish(params['provider'] ?? '', query, headers.cookie, address)),
    },
  ] satisfies readonly PlainOperation[],
};

const step = ({ url, cookie }: OAuthStep): Answer =>
  redirect(url, cookie === undefined ? {} : { 'Set-Cookie': cookie });

/** An OAuth identity and its user, with the incarnation; `_id` is a digest of the provider's name and the id at the provider. */
const identityModel: InternalModel = {
  name: 'identity',
  collection: '_dossier_identities',
  // another person may have held an account before its email was verified, and linked it to an identity of theirs
  ofUsers: { path: 'user_id', endedByRecovery: 'unverified' },
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      provider: { type: String, required: true },
      user_id: { type: objectId, required: true, index: true },
      incarnation: { type: String, required: true },
    }),
};

export const oauth: Feature = {
  name: 'oauth',
  config: oauthConfig,
  models: [identityModel],
  operations: [oauthOperations],
  provides: [provide(jwtPurpose, () => providerLogin), provide(ownService, providerLogins)],
};
