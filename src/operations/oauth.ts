/** Logging in at other providers: the way there and the way back. */
import type { Context } from '../context.ts';
import { redirect, type Answer } from './answer.ts';
import { open, type RouteGroup } from './operation.ts';
import type { OAuthStep } from '../services.ts';

export const oauth: RouteGroup = {
  title: 'OAuth',
  secret: true,
  endpoints: [
    {
      method: 'GET',
      path: '/login/oauth/:provider',
      access: open('this is where callers sign in'),
      freeQuery: true,
      summary: 'Sends the browser to the provider',
      run: start,
    },
    {
      method: 'GET',
      path: '/login/oauth/callback/:provider',
      access: open('the provider sends browsers here; the state is verified by the row itself'),
      freeQuery: true,
      changes: true,
      summary: 'Sends the browser to success_uri or fail_uri',
      run: finish,
    },
  ],
};

async function start({ services, params }: Context): Promise<Answer> {
  return step(await services.oauth.start(params['provider'] ?? ''));
}

async function finish({ services, params, query, headers }: Context): Promise<Answer> {
  return step(await services.oauth.finish(params['provider'] ?? '', query, headers.cookie));
}

const step = ({ url, cookie }: OAuthStep): Answer =>
  redirect(url, cookie === undefined ? {} : { 'Set-Cookie': cookie });
