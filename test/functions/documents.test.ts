/** Documents in the results of functions: whatever form they have and wherever they are, they leave by their model's view of the caller. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

/** Hidden values contain this text. */
const mark = 'HIDDEN';

/** Each function returns documents in another form. */
const staff = `import { Schema } from 'mongoose';
const forms = {
  async hydrated() { return this.find(); },
  async lean() { return this.find().lean(); },
  async one() { return this.findOne().lean(); },
  async byId({ id }) { return this.findById(id).lean(); },
  async query() { return this.findOne().lean(); },
  async selected() { return this.find().select('+unselected +zz_notes'); },
  async selectedLean() { return this.find().select('+unselected').lean(); },
  async objects() { return (await this.find()).map((one) => one.toObject()); },
  async json() { return (await this.find()).map((one) => one.toJSON({ virtuals: true, getters: true, aliases: true })); },
  async raw() { return (await this.find())[0]._doc; },
  async spread() { return { ...(await this.findOne()) }; },
  async nested() { return { a: [{ b: await this.findOne(), c: [await this.findOne().lean()] }] }; },
  async map() { return new Map([['one', await this.findOne()], ['two', new Map([['deep', await this.findOne().lean()]])]]); },
  async instance() { return new (class Page { rows; constructor(rows) { this.rows = rows; } })(await this.find().lean()); },
  async converts() { const rows = await this.find(); return { toJSON: () => ({ rows }) }; },
  async cursor() { const rows = []; for await (const row of this.find().lean().cursor()) rows.push(row); return rows; },
  async hydratedCursor() { const rows = []; for await (const row of this.find().cursor()) rows.push(row); return rows; },
  async updated() { return this.findOneAndUpdate({}, { $inc: { n: 1 } }, { returnDocument: 'after', lean: true }); },
  async metadata() { return this.findOneAndUpdate({}, { $inc: { n: 1 } }, { lean: true, includeResultMetadata: true }); },
  async created() { return this.create({ name: 'made', ...hidden }); },
  async insertedMany() { return this.insertMany([{ name: 'made', ...hidden }]); },
  async insertedLean() { return this.insertMany([{ name: 'made', ...hidden }], { lean: true }); },
  async made() { return new this({ name: 'made', ...hidden }); },
  async aggregated() { return this.aggregate([{ $match: {} }]); },
  async aggregateCursor() { const rows = []; for await (const row of this.aggregate([{ $match: {} }])) rows.push(row); return rows; },
  async aggregateCursorByName() { const rows = []; await this.aggregate([{ $match: {} }]).cursor().eachAsync((row) => rows.push(row)); return rows; },
  async grouped() { return this.aggregate([{ $group: { _id: null, all: { $push: '$$ROOT' } } }]); },
  async faceted() { return this.aggregate([{ $facet: { all: [{ $match: {} }] } }]); },
  async part() { return (await this.findOne()).pay; },
  async parts() { return (await this.findOne()).items; },
  async hiddenPart() { const { name, bank } = await this.findOne(); return { name, bank }; },
  async kind() { return this.db.model('staff').find({ kind: 'boss' }); },
  async populated() { return this.db.model('team').find().populate('lead_id'); },
  async populatedLean() { return this.db.model('team').find().populate('lead_id member_ids').lean(); },
  async populatedObjects() { return (await this.db.model('team').find().populate('member_ids')).map((one) => one.toObject()); },
  async virtualLean() { return this.db.model('team').find().populate('leads').lean(); },
  async virtual() { return (await this.db.model('team').find().populate('leads')).map((one) => one.toJSON({ virtuals: true })); },
  async joined() { return this.db.model('team').aggregate([{ $lookup: { from: 'staffs', localField: 'lead_id', foreignField: '_id', as: 'lead' } }]); },
  async unwound() {
    return this.db.model('team').aggregate([
      { $lookup: { from: 'staffs', localField: 'lead_id', foreignField: '_id', as: 'lead' } },
      { $unwind: '$lead' }, { $replaceRoot: { newRoot: '$lead' } },
    ]);
  },
  async united() { return this.db.model('team').aggregate([{ $unionWith: 'staffs' }]); },
};
const hidden = {
  zz_notes: '${mark}', unselected: '${mark}', aliased: '${mark}', pay: { grade: 'A', amount: '${mark}' },
  items: [{ label: 'x', secret: '${mark}' }], own: '${mark}', bank: { account: '${mark}' },
};
const perms = { admin: 'cru' };
const schema = new Schema(
  {
    name: String, n: Number,
    zz_notes: { type: String, perms },
    unselected: { type: String, select: false },
    aliased: { type: String, perms, alias: 'shownAs' },
    own: { type: String, perms: { admin: 'cru', owner: 'r' } },
    pay: new Schema({ grade: String, amount: { type: String, perms } }),
    items: [new Schema({ label: String, secret: { type: String, perms } })],
    bank: { type: new Schema({ account: String }), perms },
    password: String,
  },
  {
    perms: { user: 'crud' }, discriminatorKey: 'kind', toJSON: { virtuals: true },
    callable_statics: Object.fromEntries([...Object.keys(forms), 'own', 'whole', 'adds', 'scalar', 'plain', 'bytes', 'fill'].map((name) => [name, 'r'])),
  },
);
schema.discriminator('boss', new Schema({ bonus: { type: String, perms } }));
Object.assign(schema.statics, forms, {
  whole(document) { return document; },
  own({ id }) { return this.findById(id).lean(); },
  async adds() { return (await this.find().lean()).map((row) => Object.assign(row, { total: row.zz_notes })); },
  async scalar() { return (await this.findOne()).zz_notes; },
  async plain() { const { name, zz_notes } = await this.findOne(); return { name, zz_notes }; },
  bytes() {
    const hash = '$2b$10$' + 'a'.repeat(53);
    const bytes = Buffer.from('before ' + hash + ' after');
    const { Binary } = this.base.mongo;
    return {
      lists: [bytes, new Uint8Array(bytes), new Binary(bytes)], other: Buffer.from([0, 255, 128]),
      more: [new Uint8ClampedArray(bytes), new DataView(new Uint8Array(bytes).buffer), new Uint8Array(bytes).buffer, bytes.subarray(3)],
    };
  },
  async fill({ owner }) {
    const made = await this.create([{ name: 'n', kind: 'boss', bonus: '${mark}', ...hidden, _owner_id: owner }, { name: 'n', ...hidden }]);
    await this.db.model('team').create({ name: 'team', lead_id: made[0]._id, member_ids: made.map(({ _id }) => _id) });
    return made.map(({ _id }) => String(_id));
  },
});
export default schema;`;

const team = `import { Schema } from 'mongoose';
const schema = new Schema(
  {
    name: String,
    lead_id: { type: Schema.Types.ObjectId, link: 'staff', ref: 'staff' },
    member_ids: [{ type: Schema.Types.ObjectId, link: 'staff', ref: 'staff' }],
  },
  { perms: { user: 'r' } },
);
schema.virtual('leads', { ref: 'staff', localField: 'lead_id', foreignField: '_id' });
export default schema;`;

/** The names of `forms`. */
const forms = [...staff.matchAll(/^ {2}async (\w+)\(/gm)]
  .map(([, name = '']) => name)
  .filter((name) => !['adds', 'scalar', 'plain', 'fill'].includes(name));

let world: PeopledServer<'root' | 'eve' | 'ann'>;
let ids: readonly string[];
beforeAll(async () => {
  world = await openPeople(['root', 'eve', 'ann'], { models: { staff, team } });
  const body = { owner: world.callers.ann.user_id };
  ids = (await world.as('root', 'POST', '/call/staff/fill', { body })).body['data'] as string[];
});

const call = (who: 'root' | 'eve' | 'ann', name: string, id?: string) =>
  world.as(who, 'POST', `/call/staff/${id === undefined ? '' : `${id}/`}${name}`, { body: { id: ids[0] } });

test('each form is tried', () => expect(forms.length).toBeGreaterThan(35));

describe.each(forms)('%s', (name) => {
  test('leaves without what the caller may not read', async () => {
    const answer = await call('eve', name);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(mark);
    if (name !== 'spread') expect(answer.text).toMatch(/"(name|grade|label)":/);
  });

  test('leaves with what an admin may read', async () => {
    const { text } = await call('root', name);
    // what is spread of a document has no fields of it
    expect(text.includes(mark)).toBe(name !== 'spread');
    expect(text).not.toContain('password');
  });
});

test('a document of the call itself leaves without what the caller may not read', async () => {
  expect((await call('eve', 'whole', ids[1])).text).not.toContain(mark);
  expect((await call('root', 'whole', ids[1])).body['data']).toMatchObject({ zz_notes: mark, pay: { amount: mark } });
});

test('the owner of a row reads more of it', async () => {
  const read = async (who: 'eve' | 'ann', name: string): Promise<unknown> =>
    (await call(who, name, name === 'whole' ? ids[0] : undefined)).body['data'];
  for (const name of ['own', 'byId', 'whole']) {
    expect(await read('ann', name)).toMatchObject({ own: mark });
    expect(await read('ann', name)).not.toHaveProperty('zz_notes');
    expect(await read('eve', name)).not.toHaveProperty('own');
  }
  const rows = (await call('ann', 'aggregated')).body['data'] as Record<string, unknown>[];
  expect(rows.filter((row) => 'own' in row).map(({ _id }) => _id)).toEqual([ids[0]]);
});

test('what a function makes itself is its own word', async () => {
  expect((await call('eve', 'plain')).body['data']).toEqual({ name: 'n', zz_notes: mark });
  expect((await call('eve', 'scalar')).body['data']).toBe(mark);
  const [added] = (await call('eve', 'adds')).body['data'] as unknown[];
  expect(added).toMatchObject({ total: mark });
  expect(added).not.toHaveProperty('zz_notes');
});

test('password hashes in bytes are replaced', async () => {
  const { lists, more, other } = (await call('eve', 'bytes')).body['data'] as Record<string, string[] & string>;
  const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString();
  expect(lists?.map(textOf)).toEqual(Array.from({ length: 3 }, () => 'before [hash] after'));
  for (const one of more ?? []) expect(textOf(one)).toContain('[hash] after');
  expect(other).toBe(Buffer.from([0, 255, 128]).toString('base64'));
});
