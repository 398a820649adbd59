/** Changes that arrive together: sent in order, each once, to the current subscribers, with the rights of that moment. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { CredentialOwner } from '../../src/auth/contract.ts';
import { PrincipalCache, principalTtlMs } from '../../src/auth/credentials/principal-cache.ts';
import { badCredentials } from '../../src/errors/errors.ts';
import { Matching } from '../../src/features/events/matching/matching.ts';
import type {
  CloseReason,
  Subscriber,
  Subscribers,
  Transport,
} from '../../src/features/events/subscriptions/contract.ts';
import { revalidateEveryMs, SubscriberRegistry } from '../../src/features/events/subscriptions/subscribers.ts';
import { type Principal, principalOf } from '../../src/policy/principal.ts';
import { makeLog } from '../../src/ports/log.ts';
import type { Change, SequencedChange } from '../../src/realtime/changes/contract.ts';
import { LocalChanges } from '../../src/realtime/changes/local-changes.ts';
import { ProcessState } from '../../src/shared/process.ts';
import { connect } from '../support/connection.ts';
import { openWriting, type World } from '../support/fixtures/writing/index.ts';
import { withoutTimersFrom } from '../support/waiting.ts';

const id = '64b64b64b64b64b64b64b64b';
const [ann, eve] = ['64b64b64b64b64b64b64b64a', '64b64b64b64b64b64b64b64e'];

let world: World;
const matching = new Matching();
beforeAll(async () => {
  world = await openWriting();
});
afterAll(async () => {
  await matching.close();
  await world.close();
});

const personOf = (user: string): Principal =>
  principalOf(
    { _id: user, id: user, email: 'x@x.test', admin: false, groups: [] },
    { factor: 'off', session: 'session' },
  );

/** The subscribers, with a feed that the test controls. */
function openSubscribers() {
  let tell = (_change: SequencedChange): void => undefined;
  let doubt = (_whose: CredentialOwner): void => undefined;
  const asked: ((principal: Principal) => void)[] = [];
  let isNew = (_change: SequencedChange): boolean => true;
  const subscribers = new SubscriberRegistry({
    auth: {
      bySession: () => new Promise((answer) => asked.push(answer)),
      onStale: (listener) => (doubt = listener),
    },
    bus: world.dossier.services.bus,
    processes: new ProcessState(),
    feed: {
      shared: false,
      ensureDelivered: () => Promise.resolve(),
      position: () => 'now',
      changedAfterNow: () => Promise.resolve((change) => isNew(change)),
      listen: (listener) => {
        tell = (change) => listener.deliver(change);
        return () => undefined;
      },
      since: () => Promise.reject(new Error('there is no history')),
    },
    log: makeLog('silent'),
    matching,
    limits: { max_per_address: 1000, max_per_user: 500 },
  });
  const model = world.dossier.services.registry.get('note');
  return {
    subscribers,
    asked,
    doubt: () => doubt({ user: ann }),
    /** Makes the events up to a title count as written before the next subscription. */
    markAt: (title: string) => (isNew = ({ position }) => position > title),
    write: (title: string): void => {
      const after = { _id: id, title, _owner_id: ann };
      tell({ event: 'put', model, id, after, before: after, user: undefined, silent: false, position: title });
    },
    wish: { model, id: undefined, filter: undefined, since: undefined },
  };
}

type Connection = Pick<Transport, 'isFull' | 'room'>;

/** Adds a subscriber and records what it receives. */
function join(
  subscribers: Subscribers,
  connection: Connection = { isFull: false, room: () => Promise.resolve() },
): { readonly subscriber: Subscriber; readonly delivered: string[]; readonly sends: number[] } {
  const delivered: string[] = [];
  const sends: number[] = [];
  const transport: Transport = {
    send(events) {
      sends.push(events.length);
      delivered.push(...events.map(({ position }) => position ?? ''));
    },
    get isFull() {
      return connection.isFull;
    },
    room: () => connection.room(),
    heartbeat: (position) => void delivered.push(position),
    end: (why: CloseReason) => void delivered.push(why),
    ready: () => undefined,
    drop: (keys) => void delivered.push(...keys),
  };
  return { subscriber: subscribers.join(transport, '127.0.0.1'), delivered, sends };
}

const many = Array.from({ length: 250 }, (_, at) => `t${at}`);

test('events that arrive together are sent in order, in parts that yield to others', async () => {
  const { subscribers, write, wish } = openSubscribers();
  const { subscriber, delivered, sends } = join(subscribers);
  subscriber.signIn(personOf(ann), () => Promise.resolve(personOf(ann)));
  await subscriber.subscribe(wish);
  many.forEach(write);
  expect(delivered).toEqual([]);
  while (delivered.length < many.length) await nextTurn();
  expect(delivered).toEqual(many);
  expect(sends).toEqual([100, 100, 50]);
  subscribers.end();
});

test('events for a full connection are sent when it has room, and no connection is closed', async () => {
  const { subscribers, write, wish } = openSubscribers();
  let free = (): void => undefined;
  const connection = { isFull: false, room: () => new Promise<void>((done) => (free = done)) };
  const { subscriber, delivered } = join(subscribers, connection);
  subscriber.signIn(personOf(ann), () => Promise.resolve(personOf(ann)));
  await subscriber.subscribe(wish);
  connection.isFull = true;
  const burst = Array.from({ length: 12_000 }, (_, at) => `t${at}`);
  burst.forEach(write);
  subscriber.enqueue(() => void delivered.push('answer'));
  await nextTurn();
  expect(delivered).toEqual([]);
  connection.isFull = false;
  free();
  while (delivered.at(-1) !== 'answer') await nextTurn();
  expect(delivered).toEqual([...burst, 'answer']);
  subscribers.end();
});

test('answers follow earlier events, and a new subscriber does not receive those events', async () => {
  const { subscribers, write, wish } = openSubscribers();
  const [first, second] = [join(subscribers), join(subscribers)];
  for (const { subscriber } of [first, second]) subscriber.signIn(personOf(ann), () => Promise.resolve(personOf(ann)));
  await first.subscriber.subscribe(wish);
  many.forEach(write);
  first.subscriber.enqueue(() => void first.delivered.push('answer'));
  await second.subscriber.subscribe(wish);
  write('last');
  while (first.delivered.at(-1) !== 'last' || second.delivered.length === 0) await nextTurn();
  expect(first.delivered).toEqual([...many, 'answer', 'last']);
  expect(second.delivered).toEqual(['last']);
  subscribers.end();
});

test('a new subscriber receives no event of an earlier write that is delivered later', async () => {
  const { subscribers, write, wish, markAt } = openSubscribers();
  const { subscriber, delivered } = join(subscribers);
  subscriber.signIn(personOf(ann), () => Promise.resolve(personOf(ann)));
  markAt('b');
  await subscriber.subscribe(wish);
  ['a', 'b', 'c', 'd'].forEach(write);
  while (delivered.length < 2) await nextTurn();
  expect(delivered).toEqual(['c', 'd']);
  subscribers.end();
});

/** A principal whose credential expires after some milliseconds. */
const endingIn = (milliseconds: number): Promise<Principal> => {
  const user = { _id: ann, id: ann, email: 'x@x.test', admin: false, groups: [] };
  const credentialExpires = new Date(Date.now() + milliseconds);
  const found = { principal: principalOf(user), credentialExpires };
  return new PrincipalCache(
    () => new Date(),
    () => performance.now(),
    new ProcessState(),
  ).get('jwt', 'text', () => Promise.resolve(found));
};
const over = (): Promise<Principal> => Promise.reject(badCredentials('it is over'));

test('no event is sent once the credential has ended', async () => {
  const { subscribers, write, wish } = openSubscribers();
  const { subscriber, delivered } = join(subscribers);
  subscriber.signIn(await endingIn(0), over);
  await subscriber.subscribe(wish);
  write('too late');
  while (delivered.length === 0) await nextTurn();
  expect(delivered[0]).toBe('signed out');
  expect(delivered).not.toContain('too late');
  subscribers.end();
});

test('an expired credential ends its subscription at once, also without any event', async () => {
  // what looks at all credentials from time to time never does here
  withoutTimersFrom(revalidateEveryMs);
  const { subscribers } = openSubscribers();
  const { subscriber, delivered } = join(subscribers);
  subscriber.signIn(await endingIn(50), over);
  while (delivered.length === 0) await nextTurn();
  expect(delivered).toEqual(['signed out']);
  subscribers.end();
  jest.restoreAllMocks();
});

test('a session that another server ended is noticed within five seconds', () => {
  expect(principalTtlMs + revalidateEveryMs).toBeLessThan(5000);
});

test('no event is sent while a right is uncertain, also when it becomes uncertain during the check', async () => {
  const { subscribers, asked, doubt, write, wish } = openSubscribers();
  const { subscriber, delivered } = join(subscribers);
  subscriber.signIn(personOf(ann), () => Promise.reject(new Error('there is a session')));
  await subscriber.subscribe(wish);
  await nextTurn();
  doubt();
  write('in doubt');
  while (asked.length < 1) await nextTurn();
  doubt();
  asked[0]?.(personOf(ann));
  while (asked.length < 2) await nextTurn();
  expect(delivered).toEqual([]);
  // the session now belongs to another user, who does not own the document
  asked[1]?.(personOf(eve));
  await nextTurn();
  write('another');
  subscriber.enqueue(() => void delivered.push('answer'));
  while (delivered.length === 0) await nextTurn();
  expect(delivered).toEqual(['answer']);
  subscribers.end();
});

test('events of every frame length arrive unchanged', async () => {
  const socket = await connect(world.url, world.callers.ann.headers);
  await socket.ask('subscribe', { model: 'note' });
  const { body } = await world.as('ann', 'POST', '/api/note', { body: { title: 'ü' } });
  const put = (title: string) => world.as('ann', 'PUT', `/api/note/${String(body['data']._id)}`, { body: { title } });
  await put('ä');
  await socket.until(2);
  const around = Buffer.byteLength(JSON.stringify(socket.received.at(-1)));
  // from 64 KB a frame encodes its length differently
  const titles = [...Array.from({ length: 16 }, (_, at) => 65_528 + at), 200_000].map((length) =>
    'x'.repeat(length - around),
  );
  for (const title of titles) await put(title);
  await socket.until(2 + titles.length);
  expect(socket.events().map(([, title]) => title)).toEqual(['ü', 'ä', ...titles]);
  socket.socket.terminate();
});

test('writers that overtake each other each cause an event, and only a joined change covers other writes', async () => {
  const model = world.dossier.services.registry.get('note');
  const note = (from: number, to: number, more: Partial<Change> = {}): Change => ({
    event: 'put',
    model,
    id,
    before: { __v: from },
    after: { __v: to },
    user: undefined,
    silent: false,
    ...more,
  });
  const stateOf = (version: number) => ({ document: `note:${id}`, version });
  const soon = (): number => performance.now() + 5000;
  const notes = new LocalChanges();
  // one writer read 5, another wrote 6, and the first wrote 7
  notes.add(note(5, 7));
  const sixth = notes.claim(stateOf(6), soon());
  notes.add(note(5, 6));
  expect(await sixth).toEqual(note(5, 6));
  expect(await notes.claim(stateOf(7), soon())).toEqual(note(5, 7));
  notes.add(note(7, 9, { joined: true }));
  expect(await notes.claim(stateOf(8), soon())).toBe('covered');
  expect(await notes.claim(stateOf(9), soon())).toMatchObject({ joined: true });
});
