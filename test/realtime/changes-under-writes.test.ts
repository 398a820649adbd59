/** Copies of a collection are exact while it is written in every way, and while the rights of their readers change. */
import { expect, test } from '@jest/globals';
import { advanceCopy, beginCopy, byId, type Copy, Refused } from '../support/collection-copy.ts';
import { openPeople } from '../support/fixtures/people.ts';
import { numbersFrom } from '../support/numbers.ts';

const models = {
  'task.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String, size: Number, team: String, open: Boolean }, {
      advanced_queries: { bulkwrite: true },
      perms: { admin: 'crud', user: { r: { where: { $or: [{ open: true }, { team: '$user.team' }] } } } } });`,
  'user.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ team: { type: String, perms: { admin: 'cru', owner: 'r' } } });`,
};

const writes = 1000;

test('1,000 writes, and changes of the rights of those who read', async () => {
  const world = await openPeople(['root', 'ann', 'eve'], { models });
  const random = numbersFrom(41);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const ids: string[] = [];
  const root = (method: string, path: string, body?: unknown) =>
    world.as('root', method, path, body === undefined ? {} : { body });
  const fields = () => ({
    size: Math.floor(random() * 100),
    team: pick(['red', 'blue', 'green']),
    open: random() < 0.3,
  });
  const setTeam = (person: 'ann' | 'eve') =>
    root('PUT', `/api/user/${world.callers[person].user_id}`, { team: pick(['red', 'blue']) });

  async function write(): Promise<void> {
    const kind = random();
    if (ids.length < 5 || kind < 0.25) {
      const { document } = await root('POST', '/api/task', { title: `t${ids.length}`, ...fields() });
      ids.push(String(document['_id']));
    } else if (kind < 0.6) await root('PUT', `/api/task/${pick(ids)}`, fields());
    else if (kind < 0.7) await root('DELETE', `/api/task/${pick(ids)}`);
    else if (kind < 0.75) await root('DELETE', `/api/task/${pick(ids)}?_permaDelete=1`);
    else if (kind < 0.8) await root('PUT', `/api/task/${pick(ids)}`, { _deleted: false });
    else if (kind < 0.9) {
      const update = { $set: fields() };
      await root('POST', '/bulkwrite/task', [{ updateMany: { filter: { size: { $lt: 20 } }, update } }]);
    } else if (kind < 0.97)
      await root('POST', '/bulkwrite/task', [{ insertOne: { document: { title: 'bulk', ...fields() } } }]);
    else await setTeam(pick(['ann', 'eve']));
  }

  let isWriting = true;
  async function read(person: 'ann' | 'eve', query: string): Promise<Copy> {
    const path = `/changes/task?limit=7${query}`;
    const get = (at: string) => world.as(person, 'GET', at);
    const begin = async (): Promise<Copy> => {
      for (;;) {
        const copy = await beginCopy(get, path).catch(refusedAfterChange);
        if (copy !== undefined) return copy;
      }
    };
    let copy = await begin();
    for (let last = false; !last;) {
      last = !isWriting;
      const isAdvanced = await advanceCopy(copy, get, path).then(() => true, refusedAfterChange);
      if (isAdvanced !== true) [copy, last] = [await begin(), false];
    }
    return copy;
  }

  const readers = [
    ['ann', ''],
    ['eve', ''],
    ['eve', '&filter[size]=$gte:50'],
  ] as const;
  await Promise.all([setTeam('ann'), setTeam('eve')]);
  const copies = readers.map(([person, query]) => read(person, query));
  for (let done = 0; done < writes; done += 4) await Promise.all([write(), write(), write(), write()]);
  isWriting = false;
  for (const [at, [person, query]] of readers.entries()) {
    const { rows } = await world.as(person, 'GET', `/api/task?limit=1000${query}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(byId((await copies[at])?.rows.values() ?? [])).toEqual(byId(rows));
  }
}, 180_000);

/** A 410: the rights have changed. */
function refusedAfterChange(error: unknown): undefined {
  if (!(error instanceof Refused) || error.answer.status !== 410) throw error;
}
