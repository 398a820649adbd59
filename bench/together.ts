/** What holds of several servers over one database while all of them write. */
import { itemBody } from './data.ts';

/** Servers with one secret, and the token of an admin. */
export interface Group {
  readonly ports: readonly number[];
  readonly token: string;
}

const increments = 600;
const races = 100;
const creations = 300;

/** @returns a line for each check, with what was found and what must be */
export async function checkTogether(group: Group): Promise<readonly string[]> {
  return [await countedTogether(group), await madeOnce(group), await deliveredEverywhere(group)];
}

interface Answer {
  readonly status: number;
  readonly body: { readonly data: { readonly _id: string; readonly stock: number }; readonly position?: string };
}

async function send({ ports, token }: Group, at: number, [method, path, body]: readonly [string, string, unknown?]) {
  const response = await fetch(`http://127.0.0.1:${ports[at % ports.length]}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() } as Answer;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** All servers raise one number at the same time. */
async function countedTogether(group: Group): Promise<string> {
  const made = await send(group, 0, ['POST', '/api/draft', { ...itemBody(1), stock: 0 }]);
  const path = `/api/draft/${made.body.data._id}`;
  const all = await Promise.all(
    numbers(increments).map((at) => send(group, at, ['PATCH', path, { $inc: { stock: 1 } }])),
  );
  const { body } = await send(group, 1, ['GET', path]);
  return `Increments of one document: ${all.filter(({ status }) => status === 200).length} acknowledged, ${body.data.stock} counted, of ${increments}`;
}

/** All servers create the document of one id at the same time. */
async function madeOnce(group: Group): Promise<string> {
  let once = 0;
  for (const race of numbers(races)) {
    const _id = `00000009${(Date.now() + race).toString(16).padStart(16, '0')}`;
    const put = (at: number): Promise<Answer> => send(group, at, ['POST', '/api/draft', { ...itemBody(race), _id }]);
    const statuses = (await Promise.all(group.ports.map((_port, at) => put(at)))).map(({ status }) => status);
    if (statuses.sort().join() === ['201', ...group.ports.slice(1).map(() => '409')].join()) once += 1;
  }
  return `Races to create one document: created once in ${once} of ${races}`;
}

/** A subscriber at each server, while all of them create. */
async function deliveredEverywhere(group: Group): Promise<string> {
  const { body } = await send(group, 0, ['GET', '/api/draft?limit=1&position=true']);
  const stop = new AbortController();
  const since = encodeURIComponent(body.position ?? '');
  const received = group.ports.map((port) =>
    eventsOf(`http://127.0.0.1:${port}/events/draft?since=${since}`, group, stop),
  );
  const sent = await Promise.all(numbers(creations).map((at) => send(group, at, ['POST', '/api/draft', itemBody(at)])));
  const wanted = new Set(sent.map(({ body: { data } }) => data._id));
  const orders = await Promise.all(received);
  stop.abort();
  const whole = orders.filter((ids) => ids.length === creations && ids.every((id) => wanted.has(id)));
  const isSame = new Set(orders.map((ids) => ids.join())).size === 1;
  return `Events of ${creations} creations: all of them once at ${whole.length} of ${group.ports.length} servers, ${isSame ? 'in the same order' : 'in different orders'}`;
}

/** The ids of the first events of a stream, one for each creation. */
async function eventsOf(url: string, { token }: Group, stop: AbortController): Promise<readonly string[]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal });
  const ids: string[] = [];
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id] = /^data: .*"_id":"(\w+)"/m.exec(block) ?? [];
      if (id !== undefined) ids.push(id);
    }
    if (ids.length >= creations) break;
  }
  return ids;
}
