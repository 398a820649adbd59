/** The actions of the WebSocket, which map messages to operations and subscriptions. */
import type { ClientAddress } from '../../../auth/contract.ts';
import { combinedPrincipal, credentialText, verifyAll } from '../../../auth/credentials/identify.ts';
import type { Request } from '../../../context.ts';
import { type Answer, badRequest, type Principal, type Services, signInFirst, suggestion } from '../../../core.ts';
import { idText } from '../../../models/fields/id-types.ts';
import type { InvokeServices } from '../../../operations/interceptor.ts';
import { type Invoke, prepare } from '../../../operations/invoke.ts';
import { anonymousPrincipal } from '../../../policy/principal.ts';
import { subscribeToDocument, subscribeToModel, type SubscriptionAnswer } from '../operations.ts';
import type { Subscriber, Subscribers } from '../subscriptions/contract.ts';

/** The caller of a message and their subscriptions. */
interface Connection {
  readonly from: ClientAddress;
  readonly subscriber: Subscriber;
  /** From now on, heartbeats report the position that the client has reached. */
  readonly sendPositions: () => void;
}

type Data = Readonly<Record<string, unknown>>;
type Action = (data: Data, connection: Connection) => unknown;
/** The actions by name. */
export type Actions = ReadonlyMap<string, Action>;

export function makeActions(services: InvokeServices, subscribers: Pick<Subscribers, 'admit'>): Actions {
  const ofModel = prepare(subscribeToModel, services);
  const ofDocument = prepare(subscribeToDocument, services);
  return new Map<string, Action>([
    ['ping', () => 'pong!'],
    ['auth', (data, connection) => auth(data, connection, { services, subscribers })],
    ['subscribe', (data, connection) => subscribe(data, connection, data['id'] === undefined ? ofModel : ofDocument)],
    ['unsubscribe', unsubscribe],
  ]);
}

/** Signs in with `{email, password}`, where `email` is the field that signs in, `{apikey}` or `{token}`. */
async function auth(
  data: Data,
  { from, subscriber }: Connection,
  { services, subscribers }: { readonly services: Services; readonly subscribers: Pick<Subscribers, 'admit'> },
): Promise<unknown> {
  const verify = verifierOf(data, from, services);
  const principal = await verify();
  const user = principal.user?.id;
  // a connection that a key with scopes has opened never does more, whatever is sent over it afterwards
  if (subscriber.principal.scopes !== undefined) {
    combinedPrincipal(subscriber.principal, principal);
    return { user_id: user };
  }
  if (user !== subscriber.principal.user?.id) await subscribers.admit({ address: undefined, user, caller: undefined });
  subscriber.signIn(principal, verify);
  return { user_id: user };
}

const subscriptionParts: ReadonlySet<string> = new Set(['model', 'id', 'filter', 'since', 'positions', 'snapshot']);
const unsubscribeParts: ReadonlySet<string> = new Set(['subscription', 'model', 'id']);

/** @throws 400 for a part that has no meaning: a misspelt filter would subscribe to every document */
function refuseOthers(data: Data, parts: ReadonlySet<string>): void {
  const other = Object.keys(data).find((name) => !parts.has(name) && !name.startsWith('_'));
  if (other !== undefined)
    throw badRequest(
      `data takes ${[...parts].join(', ')}, and not ${JSON.stringify(other.slice(0, 60))}${suggestion(other, parts)}`,
    );
}

/** Creates the function that verifies the credentials of a message, now and later. @throws 400 when there are none */
function verifierOf(data: Data, from: ClientAddress, { auth: by, settings }: Services): () => Promise<Principal> {
  const field = settings.login_field;
  const { [field]: login, password, apikey, token } = data;
  const { address } = from;
  const credentials: (() => Promise<Principal>)[] = [];
  if (login !== undefined || password !== undefined) credentials.push(() => by.byPassword(login, password, address));
  if (apikey !== undefined) credentials.push(async () => by.byKey(credentialText(apikey), from));
  if (token !== undefined) credentials.push(async () => by.byToken(credentialText(token), address));
  if (credentials.length === 0) throw badRequest(`auth requires ${field} and password, apikey or token`);
  return () => verifyAll(credentials);
}

/** Subscribes to changes: `{model, id?, filter?, since?, positions?, snapshot?}`. */
async function subscribe(
  data: Data,
  { from, subscriber, sendPositions }: Connection,
  invoke: Invoke,
): Promise<unknown> {
  const { principal } = subscriber;
  if (principal.user === undefined) throw signInFirst();
  refuseOthers(data, subscriptionParts);
  const verify = async (): Promise<Principal> => (await subscriber.verified()) ?? anonymousPrincipal;
  const answer = await invoke(requestFrom(data), { principal, verify, ...from, stop: new AbortController() });
  if (!isSubscription(answer)) throw new Error('the operation must answer with a subscription');
  const { key, position } = await subscriber.subscribe(answer.request);
  if (data['positions'] === undefined) return { subscription: key };
  sendPositions();
  return { subscription: key, ...(position === undefined ? {} : { position }) };
}

const isSubscription = (answer: Answer | undefined): answer is SubscriptionAnswer =>
  answer?.kind === 'stream' && 'request' in answer;

/** @throws 400 */
function requestFrom({ model, id, filter, since, positions, snapshot }: Data): Request {
  if (typeof model !== 'string') throw badRequest('subscribe requires the name of a model');
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw badRequest('id must be a string, or a number where ids are numbers');
  if (since !== undefined && typeof since !== 'string') throw badRequest('since must be the position of an event');
  if (positions !== undefined && positions !== true) throw badRequest('positions must be true');
  if (snapshot !== undefined && snapshot !== true) throw badRequest('snapshot must be true');
  return {
    params: id === undefined ? { model } : { model, id: String(id) },
    query: { ...(since === undefined ? {} : { since }), ...(snapshot === undefined ? {} : { snapshot: 'true' }) },
    body: { filter },
    headers: {},
    url: '/websocket',
  };
}

/** Ends a subscription: `{subscription}`, or `{model, id?}`. */
function unsubscribe(data: Data, { subscriber }: Connection): unknown {
  refuseOthers(data, unsubscribeParts);
  const { subscription, model, id } = data;
  const ended = subscriber.unsubscribe(
    (one) =>
      one.key === subscription ||
      (subscription === undefined &&
        one.model.name === model &&
        (id === undefined || (one.id !== undefined && one.id === idText(one.model.idType, id)))),
  );
  if (ended.length === 0) throw badRequest('no subscription of this connection matches');
  return { unsubscribed: ended };
}
