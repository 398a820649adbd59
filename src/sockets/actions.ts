/** The actions of the WebSocket. */
import { requireLetter } from '../policy/decide.ts';
import type { Principal } from '../policy/principal.ts';
import { badCredentials, badRequest, signInFirst } from '../errors.ts';
import { filterFromJson } from '../language/guard.ts';
import { castId } from '../registry/cast.ts';
import type { Wish } from '../live/contract.ts';
import type { Services } from '../services.ts';
import type { Client } from './client.ts';

type Data = Readonly<Record<string, unknown>>;
type Action = (data: Data, client: Client, services: Services) => unknown;

/** By name. */
export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['ping', () => 'pong!'],
  ['auth', auth],
  ['subscribe', subscribe],
  ['unsubscribe', unsubscribe],
]);

/** Signs in with `{email, password}`, `{apikey}` or `{token}`. */
async function auth(data: Data, { ends: { address }, listener }: Client, services: Services): Promise<unknown> {
  const verify = verifierOf(data, address, services);
  const principal = await verify();
  listener.signIn(principal, verify);
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

/** Hears of changes: `{model, id?, filter?, since?}`. */
async function subscribe(data: Data, { listener }: Client, services: Services): Promise<unknown> {
  if (listener.principal.user === undefined) throw signInFirst();
  return { subscription: await listener.subscribe(wishFrom(data, listener.principal, services)) };
}

/** @throws 404, 403, 400: what a filter may name is nothing to who may not read the model */
function wishFrom(data: Data, principal: Principal, { registry, clock }: Services): Wish {
  const { model: name, id, filter, since } = data;
  if (typeof name !== 'string') throw badRequest('subscribe needs the name of a model');
  const model = registry.get(name);
  const { policy } = requireLetter(principal, 'r', model);
  if (id !== undefined && typeof id !== 'string') throw badRequest('id must be text');
  if (since !== undefined && typeof since !== 'string') throw badRequest('since must be the position of an event');
  return {
    model,
    id: id === undefined ? undefined : castId('id', id).toHexString(),
    filter: filter === undefined ? undefined : filterFromJson(filter, policy.view, clock()),
    since,
  };
}

/** Ends a subscription: `{subscription}`, or `{model, id?}`. */
function unsubscribe(data: Data, { listener }: Client): unknown {
  const { subscription, model, id } = data;
  const ended = listener.unsubscribe(
    (one) =>
      one.key === subscription ||
      (subscription === undefined && one.model.name === model && (id === undefined || one.id === id)),
  );
  if (ended.length === 0) throw badRequest('there is no such subscription');
  return { unsubscribed: ended };
}
