/** The groups of a JXP database, stored in `usergroups`, become groups of the users at the first start with the preload (docs/migrating.md). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { mongo } from '../../src/models/mongoose.ts';
import { onMongo, ownDatabase } from '../support/database.ts';
import { writeModels } from '../support/models.ts';
import { startProcess } from '../support/process.ts';
import { programOf } from '../support/programs.ts';

const { MongoClient, ObjectId } = mongo;
const preload = ['--import', `./${programOf('src/jxp.ts')}`];

let store: OpenStore | undefined;
let url = '';
let client: InstanceType<typeof MongoClient>;
beforeAll(async () => {
  store = onMongo ? undefined : await open();
});
afterAll(() => store?.close());

beforeEach(async () => {
  const own = new URL(ownDatabase().mongodb_url ?? store?.url ?? '');
  if (!onMongo) own.pathname = `/jxp_${new ObjectId().toHexString()}`;
  url = own.href;
  client = await new MongoClient(url).connect();
});
afterEach(async () => {
  await client.db().dropDatabase();
  await client.close();
});

const collection = (name: string) => client.db().collection(name);
const [ann, bob, cleo, dora] = [new ObjectId(), new ObjectId(), new ObjectId(), new ObjectId()];
const users = (): readonly object[] => [
  { _id: ann, email: 'ann@x.test' },
  { _id: bob, email: 'bob@x.test', groups: ['staff'] },
  { _id: cleo, email: 'cleo@x.test', groups: null, _deleted: true },
  { _id: dora, email: 'dora@x.test' },
];
const memberships = (): readonly object[] => [
  { user_id: ann, groups: ['editors', ' press ', 'editors'] },
  { user_id: bob, groups: ['editors', 'admin'] },
  { user_id: cleo, groups: ['press'] },
  { user_id: dora, groups: ['', 7, { $ne: 1 }] },
  { user_id: new ObjectId(), groups: ['gone'] },
  { groups: ['nobody'] },
];
const insert = async (name: string, rows: readonly object[]): Promise<unknown> =>
  collection(name).insertMany(rows.map((row) => ({ ...row })));
const groups = async (): Promise<unknown[]> =>
  (await collection('users').find().sort({ email: 1 }).toArray()).map((user) => user['groups'] as unknown);

/** Starts and stops a server. @returns its lines about groups */
async function started(flags: readonly string[]): Promise<readonly string[]> {
  const { folder, remove } = await writeModels({});
  const server = await startProcess({ MODELS_DIR: folder, MONGODB_URL: url }, flags);
  expect(await server.stop()).toBe(0);
  await remove();
  return server
    .printed()
    .split('\n')
    .filter((line) => line.includes('User groups'));
}

test('are moved once, with a message, and nothing that a user had is lost', async () => {
  await insert('users', users());
  await insert('usergroups', memberships());
  const [moved, reserved, ...rest] = await started(preload);
  expect(moved).toMatch(/those of 4 users in the collection usergroups have been moved to the user documents/);
  expect(reserved).toMatch(/"admin" is the name of a role, so 1 users are not in a group of this name/);
  expect(rest).toEqual([]);
  const after = [['editors', 'press'], ['staff', 'editors'], ['press'], undefined];
  expect(await groups()).toEqual(after);
  // from here on the collection says nothing
  await insert('usergroups', [{ user_id: dora, groups: ['editors'] }]);
  await collection('users').updateOne({ _id: ann }, { $set: { groups: [] } });
  expect(await started(preload)).toEqual([]);
  expect(await groups()).toEqual([[], ...after.slice(1)]);
});

test('stay where they are without the preload, also at the first start, until one has it', async () => {
  await insert('users', users());
  await insert('usergroups', memberships());
  expect([await started([]), await started([])]).toEqual([[], []]);
  expect(await groups()).toEqual([undefined, ['staff'], null, undefined]);
  const [moved] = await started(preload);
  expect(moved).toContain('those of 4 users');
  expect(await groups()).toEqual([['editors', 'press'], ['staff', 'editors'], ['press'], undefined]);
});
