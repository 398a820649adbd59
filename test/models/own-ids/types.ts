/** The types of ids of one's own, with ids of each: values as JSON carries them. */

export interface IdCase {
  readonly name: string;
  /** The type in a model file. */
  readonly type: string;
  /** Ids of documents, in the order of the database. */
  readonly ids: readonly [unknown, unknown, unknown];
  /** An id that no document has. */
  readonly free: unknown;
  /** Other texts that lead to the first id. */
  readonly same: readonly string[];
  /** Texts that are no id, as paths have them. */
  readonly wrong: readonly string[];
  /** Values that no document can be created with. */
  readonly refused: readonly unknown[];
  /** What a fault says. */
  readonly rule: string;
}

const long = 'x'.repeat(1025);
/** Of version 7, of no version and variant, the highest one, and that of zeros. */
const uuids = [
  '018f3a00-0000-7000-8000-00000000000a',
  '6f9619ff-8b86-d011-042d-00cf4fc964ff',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-000000000000',
] as const;

export const idCases: readonly IdCase[] = [
  {
    name: 'String',
    type: 'String',
    // the last one begins with 24 hexadecimal digits, and stays a text
    ids: [' a/b %2F?x=1&y#é 😀..', '__proto__', 'abcdefabcdefabcdefabcdef'],
    free: 'constructor',
    same: [],
    wrong: [long, 'a\0b'],
    refused: ['', '.', '..', long, 'a\0b', 'a\ud800b', 5, true, null, ['a'], { a: 1 }, { $ne: 'a' }],
    rule: 'must be a text of 1 to 1024 bytes',
  },
  {
    name: 'Number',
    type: 'Number',
    ids: [-7, 0, 42],
    free: 41,
    same: [],
    wrong: ['1e3', ' 1', '01', '0x10', '1.5', '+1', '9007199254740993', 'NaN', 'one', '1_000', '-'],
    refused: [1.5, 1e300, 9007199254740992, 'one', '01', true, null, '', [1], { a: 1 }, { $gt: 0 }],
    rule: 'must be a whole number from -9007199254740991 to 9007199254740991',
  },
  {
    name: 'UUID',
    type: 'Schema.Types.UUID',
    ids: [uuids[0], uuids[1], uuids[2]],
    free: uuids[3],
    same: [uuids[0].toUpperCase()],
    wrong: ['1', '018f3a0000007000800000000000000a', `{${uuids[0]}}`, 'a'.repeat(24), `${uuids[0].slice(1)}g`],
    refused: ['x', 5, true, null, '', 'a'.repeat(24), [uuids[0]], { a: 1 }, { $ne: uuids[0] }],
    rule: 'must be a UUID',
  },
];

/** `item`, whose ids have the type; `part`, which links to it in each way; and `user`, who owns them. */
export const modelsWith = (type: string): Readonly<Record<string, string>> => ({
  'item.js': `module.exports = ({ Schema }) => new Schema(
  { _id: ${type}, name: String, rank: Number, above_id: { type: ${type}, link: 'item', reverse: 'below' } },
  { perms: { all: 'r', user: 'cr', owner: 'crud' }, check_links: true, advanced_queries: { bulkwrite: true, aggregate: true, query: true },
    callable_statics: ['twice'], statics: { twice: (item) => ({ name: item.name + item.name }) } });`,
  'part.js': `module.exports = ({ Schema }) => new Schema(
  { name: String, item_id: { type: ${type}, link: 'item', reverse: 'parts' }, item_ids: { type: [{ type: ${type}, ref: 'item' }], map_to: 'items' } },
  { perms: { all: 'r', user: 'crud' }, check_links: true, advanced_queries: { bulkwrite: true } });`,
  'made.js': `module.exports = ({ Schema }) => {
  const schema = new Schema({ _id: ${type}, name: String }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });
  schema.virtual('loud').get(function () { return this.name + '!'; });
  schema.virtual('same', { ref: 'made', localField: '_id', foreignField: '_id', justOne: true });
  schema.pre('save', function () {});
  return schema;
};`,
});
