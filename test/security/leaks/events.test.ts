/** Events do not leak: the same changes of two servers that differ only in what a subscriber may not see are reported alike. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../support/connection.ts';
import { listen } from '../../support/event-stream.ts';
import { openTwin, type Twin } from '../../support/fixtures/twins.ts';

let twins: readonly [Twin, Twin];
beforeAll(async () => {
  twins = [await openTwin(0, false), await openTwin(1, false)];
});
afterAll(() => Promise.all(twins.map(({ close }) => close())));

const desk = (number: number): string => `08${number.toString(16).padStart(22, '0')}`;

/** The same changes of readable data, and different ones of hidden data. */
async function change({ dossier }: Twin, variant: number): Promise<void> {
  const Desk = dossier.services.connection.model('desk');
  const set = (id: string, fields: object): Promise<unknown> =>
    Desk.updateOne({ _id: id }, { $set: fields }, { timestamps: false }).exec();
  await set(desk(0), { title: 'Ann changed', salary: variant, remark: `CANARY${variant}` });
  await set(desk(1), { title: 'Eve changed', 'parts.0.cost': 7 + variant });
  // no caller may read these before or after
  for (let count = 0; count <= variant * 3; count++) await set(desk(40), { title: `CANARY${count}` });
  // these become readable or unreadable for a caller; eve could read 21 before
  const seen = { title: 'Entered', open: true, level: 1, next_id: desk(3), team: 'night' };
  await set(desk(41), seen);
  await set(desk(21), { open: true });
  await set(desk(2), { open: false });
  await set(desk(22), { team: `CANARY${variant}` });
  if (variant === 1) await Desk.deleteOne({ _id: desk(42) });
  await Desk.deleteOne({ _id: desk(4) });
  await set(desk(5), { title: 'Last' });
}

/** Reads the documents. @returns reads the changes since; the answers without their positions */
async function walk({ get }: Twin, headers: Readonly<Record<string, string>>): Promise<() => Promise<object>> {
  const begun = await get('/changes/desk?limit=1000', { headers });
  return async () => {
    const later = await get(`/changes/desk?limit=1000&since=${String(begun.body['position'])}`, { headers });
    expect(later.status).toBe(200);
    return [begun, later].map(({ body }) => withoutPosition(body));
  };
}

type Delivered = Readonly<Record<string, unknown>>;
const withoutPosition = ({ position: _, ...delivered }: Delivered): Delivered => delivered;

test('by a WebSocket, by an event stream and by the changes since a position', async () => {
  const delivered = await Promise.all(
    twins.map(async (twin, variant) => {
      const socket = await connect(twin.url, twin.eve);
      await socket.ask('subscribe', { model: 'desk' });
      const stream = await listen(`${twin.url}/events/desk`);
      const walks = await Promise.all([walk(twin, twin.eve), walk(twin, {})]);
      await change(twin, variant);
      const last = ({ item }: Delivered): boolean => (item as Delivered)['title'] === 'Last';
      await stream.when(() => stream.received.some(last));
      const events = (): Delivered[] =>
        socket.received.flatMap(({ data }) => (data === undefined ? [] : [data as Delivered]));
      await socket.when(() => events().some(last));
      const [eveWalked, anonymousWalked] = await Promise.all(walks.map((advance) => advance()));
      const all = {
        eve: events().map(withoutPosition),
        anonymous: stream.received.map(withoutPosition),
        eveWalked,
        anonymousWalked,
      };
      stream.close();
      socket.socket.terminate();
      return all;
    }),
  );
  const short = (events: readonly Delivered[]): unknown =>
    events.map(({ event, item }) => [event, (item as Delivered)['_id']]);
  expect(delivered[1]).toEqual(delivered[0]);
  expect(JSON.stringify(delivered)).not.toContain('CANARY');
  expect(JSON.stringify(delivered[0]?.eveWalked)).toContain('Entered');
  const both = [
    ['put', desk(0)],
    ['put', desk(1)],
    ['post', desk(41)],
  ];
  const gone = [
    ['del', desk(4)],
    ['put', desk(5)],
  ];
  expect(short(delivered[0]?.anonymous ?? [])).toEqual([...both, ['post', desk(21)], ['del', desk(2)], ...gone]);
  expect(short(delivered[0]?.eve ?? [])).toEqual([
    ...both,
    ['put', desk(21)],
    ['del', desk(2)],
    ['del', desk(22)],
    ...gone,
  ]);
  const ofEve = delivered[0]?.eve.find(({ item }) => (item as Delivered)['_id'] === desk(1))?.['item'];
  expect(ofEve).toMatchObject({ remark: 'Remark 1' });
});
