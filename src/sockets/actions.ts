/** The actions of the WebSocket: one row each. */
import { badCredentials, badRequest, signInFirst, tooMany } from '../errors.ts';
import type { Principal } from '../access/principal.ts';
import type { Services } from '../services.ts';
import type { Client } from './client.ts';
import { subscriptionFrom } from './subscription.ts';

type Data = Readonly<Record<string, unknown>>;
type Action = (data: Data, client: Client, services: Services) => unknown;

const mostSubscriptions = 100;

export const actions: ReadonlyMap<string, { readonly summary: string; readonly run: Action }> = new Map<
  string,
  { summary: string; run: Action }
>([
  ['ping', { summary: 'Answers "pong!"', run: () => 'pong!' }],
  ['auth', { summary: 'Signs in with {email, password}, {apikey} or {token}', run: auth }],
  ['subscribe', { summary: 'Hears of changes: {model, id?, filter?}', run: subscribe }],
  ['unsubscribe', { summary: 'Ends a subscription: {subscription}, or {model, id?}', run: unsubscribe }],
]);

async function auth(data: Data, client: Client, services: Services): Promise<unknown> {
  const verify = verifierOf(data, client.address, services);
  const principal = await verify();
  client.signIn(principal, verify);
  return { user_id: principal.user?.id };
}

/** How the credential of a message is verified, now and again later. All that are given must be of one person. */
function verifierOf(data: Data, address: string, { auth: by }: Services): () => Promise<Principal> {
  const { email, password, apikey, token } = data;
  const ways: (() => Promise<Principal>)[] = [];
  if (email !== undefined || password !== undefined) ways.push(() => by.byPassword(email, password, address));
  if (apikey !== undefined) ways.push(() => by.byKey(textual(apikey), address));
  if (token !== undefined) ways.push(() => by.byToken(textual(token), address));
  if (ways.length === 0) throw badRequest('auth needs email and password, apikey or token');
  return async () => {
    const found = await Promise.all(ways.map((way) => way()));
    const [first] = found;
    if (first === undefined || found.some(({ user }) => user?.id !== first.user?.id))
      throw badCredentials('the credentials are of different people');
    return first;
  };
}

function textual(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw badCredentials('a credential must be text');
  return value;
}

async function subscribe(data: Data, client: Client, services: Services): Promise<unknown> {
  const { principal } = client;
  if (principal.user === undefined) throw signInFirst();
  if (client.subscriptions.size >= mostSubscriptions) throw tooMany('subscriptions', mostSubscriptions);
  const subscription = subscriptionFrom(data, principal, services);
  await services.others.need();
  client.subscriptions.add(subscription);
  return { subscription: subscription.key };
}

function unsubscribe(data: Data, client: Client): unknown {
  const { subscription, model, id } = data;
  const ended = client.subscriptions.all.filter(
    (one) =>
      one.key === subscription ||
      (subscription === undefined && one.model.name === model && (id === undefined || one.id === id)),
  );
  if (ended.length === 0) throw badRequest('there is no such subscription');
  for (const { key } of ended) client.subscriptions.delete(key);
  return { unsubscribed: ended.map(({ key }) => key) };
}
