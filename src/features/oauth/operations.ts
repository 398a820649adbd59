/** OAuth logins: the redirect to the provider and the callback. */
import { type Answer, redirect } from '../../operations/answer.ts';
import { open, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';
import { type OAuthStep, providerLogins } from './provider-logins.ts';

const input = { freeQuery: true } as const;

export const oauthOperations: OperationGroup = {
  title: 'OAuth',
  after: 'Passwords',
  secret: true,
  operations: [
    {
      name: 'oauth.start',
      http: { method: 'GET', path: '/login/oauth/:provider' },
      summary: 'Sends the browser to the provider',
      access: open('this is where callers sign in'),
      input,
      answers: { 302: 'none' },
      run: async ({ services, params }) => step(await services.of(providerLogins).start(params['provider'] ?? '')),
    },
    {
      name: 'oauth.finish',
      http: { method: 'GET', path: '/login/oauth/callback/:provider' },
      summary: 'Sends the browser to success_uri or fail_uri',
      effect: 'write',
      access: open('the provider sends browsers here; the operation itself verifies the state'),
      input,
      answers: { 302: 'none' },
      run: async ({ services, params, query, headers, address }) =>
        step(await services.of(providerLogins).finish(params['provider'] ?? '', query, headers.cookie, address)),
    },
  ] satisfies readonly PlainOperation[],
};

const step = ({ url, cookie }: OAuthStep): Answer =>
  redirect(url, cookie === undefined ? {} : { 'Set-Cookie': cookie });
