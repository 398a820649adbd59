/** The actions of the WebSocket. */
import { requireLetter } from '../access/decide.ts';
import type { Principal } from '../access/principal.ts';
import { credentialText, verifyAll } from '../auth/identify.ts';
import { badRequest, signInFirst } from '../errors.ts';
import { filterFromJson } from '../language/guard.ts';
import { castId } from '../registry/cast.ts';
import type { Services, Wish } from '../services.ts';
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

/** How the credentials of a message are verified, now and again later. @throws 400 when there are none */
function verifierOf(data: Data, address: string, { auth: by }: Services): () => Promise<Principal> {
  const { email, password, apikey, token } = data;
  const credentials: (() => Promise<Principal>)[] = [];
  if (email !== undefined || password !== undefined) credentials.push(() => by.byPassword(email, password, address));
  if (apikey !== undefined) credentials.push(async () => by.byKey(credentialText(apikey), address));
  if (token !== undefined) credentials.push(async () => by.byToken(credentialText(token), address));
  if (credentials.length === 0) throw badRequest('auth needs email and password, apikey or token');
  return () => verifyAll(credentials);
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
  requireLetter(principal, 'r', model);
  if (id !== undefined && typeof id !== 'string') throw badRequest('id must be text');
  if (since !== undefined && typeof since !== 'string') throw badRequest('since must be the position of an event');
  return {
    model,
    id: id === undefined ? undefined : castId('id', id).toHexString(),
    filter: filter === undefined ? undefined : filterFromJson(filter, model.schema, clock()),
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
