/** Subscribers to every model: every signed-in user by a WebSocket, anonymous callers by event streams. */
import { isDeepStrictEqual } from 'node:util';
import { connect, type Connection } from '../support/connection.ts';
import { type EventStream, listen } from '../support/event-stream.ts';
import type { TestServer } from '../support/server.ts';
import { type Caller, isGiven, type Json, may, type Model, type Row, shown } from './oracle.ts';
import { changed, everyone, type State, type Who, type World } from './world.ts';

export interface Subscribers {
  /** Waits for the events of what has changed, and holds them against what each subscriber may see. */
  compare(before: State, after: State): Promise<void>;
  close(): void;
}

/** What one subscriber has received since it was asked last. */
interface Ear {
  /** @param count events that are expected @param beacon of the model that everyone receives, written after the others */
  received(count: number, beacon: number): Promise<readonly Json[]>;
  close(): void;
}

type Opening = Pick<World, 'models' | 'caller'> & {
  readonly server: TestServer;
  readonly headersOf: (who: Who) => Readonly<Record<string, string>>;
};

/** @throws when a subscription is not answered as the rights say */
export async function subscribe(opening: Opening, state: State): Promise<Subscribers> {
  const { server, models, caller } = opening;
  const subscribers = new Map<Who, Ear>();
  for (const who of everyone)
    subscribers.set(who, await (who === 'anonymous' ? byStreams : bySocket)(opening, who, caller(who, state)));
  const { connection, registry } = server.dossier.services;
  const Beacon = connection.model(registry.get('beacon').name);
  let beacon = 0;
  return {
    async compare(before, after) {
      await new Beacon({ n: ++beacon }).save();
      for (const [who, ear] of subscribers) {
        const expected = expectedEvents(models, caller(who, after), before, after);
        expectEvents(who, await ear.received(expected.length, beacon), expected);
      }
    },
    close: () => subscribers.forEach((ear) => ear.close()),
  };
}

const isBeacon = ({ data }: Json, beacon?: number): boolean => {
  const { modelname, item } = (data ?? {}) as { readonly modelname?: string; readonly item?: Json };
  return modelname === 'beacon' && (beacon === undefined || item?.['n'] === beacon);
};

async function bySocket({ server, models, headersOf }: Opening, who: Who, caller: Caller): Promise<Ear> {
  const socket: Connection = await connect(server.url, headersOf(who));
  for (const model of models) {
    const { status } = await socket.ask('subscribe', { model: model.name });
    expectOpen(who, model, status === 'okay', caller);
  }
  await socket.ask('subscribe', { model: 'beacon' });
  socket.received.length = 0;
  return {
    async received(_count, beacon) {
      await socket.when(() => socket.received.some((message) => isBeacon(message, beacon)));
      const all = socket.received.splice(0);
      return all.flatMap((message) =>
        message['data'] === undefined || isBeacon(message) ? [] : [message['data'] as Json],
      );
    },
    close: () => socket.socket.terminate(),
  };
}

async function byStreams({ server, models, headersOf }: Opening, who: Who, caller: Caller): Promise<Ear> {
  const streams: EventStream[] = [];
  for (const model of models) {
    const stream = await listen(`${server.url}/events/${model.name}`, headersOf(who));
    expectOpen(who, model, stream.status === 200, caller);
    streams.push(stream);
  }
  let before = 0;
  const all = (): readonly Json[] => streams.flatMap(({ received }) => received);
  const taken = new Set<Json>();
  return {
    async received(count) {
      before += count;
      // one too many is found here or at the next comparison
      for (const stream of streams) await stream.when(() => all().length >= before);
      const fresh = all().filter((event) => !taken.has(event));
      fresh.forEach((event) => taken.add(event));
      return fresh;
    },
    close: () => streams.forEach((stream) => stream.close()),
  };
}

function expectOpen(who: Who, model: Model, isOpen: boolean, caller: Caller): void {
  if (isOpen !== isGiven(model, caller, 'r'))
    throw new Error(`the subscription of ${who} to ${model.name} is ${isOpen ? '' : 'not '}open`);
}

interface Event {
  readonly event: string;
  readonly modelname: string;
  readonly item: Json;
}

function expectedEvents(models: readonly Model[], caller: Caller, before: State, after: State): Event[] {
  const sees = (model: Model, row: Row | undefined): row is Row =>
    row !== undefined && row['_deleted'] !== true && may(model, caller, 'r', row);
  return models.flatMap((model) =>
    changed(before, after, model.name).flatMap(({ was, is }): Event[] => {
      const modelname = model.name;
      const id = (is ?? was)?.['_id'];
      if (sees(model, is))
        return [{ event: sees(model, was) ? 'put' : 'post', modelname, item: shown(model, caller, is) }];
      return sees(model, was) ? [{ event: 'del', modelname, item: { _id: id, id } }] : [];
    }),
  );
}

const byId = (one: Event, other: Event): number => (String(one.item['_id']) < String(other.item['_id']) ? -1 : 1);

function expectEvents(who: Who, actual: readonly Json[], expected: readonly Event[]): void {
  const events = (actual as unknown as Event[]).map(({ event, modelname, item }) => ({ event, modelname, item }));
  const plainly = JSON.parse(JSON.stringify([...expected].sort(byId))) as unknown;
  if (!isDeepStrictEqual([...events].sort(byId), plainly))
    throw new Error(`events of ${who}: ${JSON.stringify(events)}, expected ${JSON.stringify(plainly)}`);
}
