/** Model files that were written for JXP load unchanged with the preload (docs/migrating.md). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send as request } from '../support/client.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { programOf } from '../support/programs.ts';

/** The model files of a JXP application, unchanged. */
const files: Readonly<Record<string, string>> = {
  'user_model.js': `/* global JXPSchema */
const UserSchema = new JXPSchema({
  name: { type: String },
  urlid: { type: String, index: true },
  email: { type: String, unique: true, index: true, set: toLower, required: true },
  password: String,
  admin: Boolean,
  temp_hash: String,
}, { perms: { admin: "crud", owner: "ru", user: "r" } });
function toLower(v) { return v ? v.toLowerCase() : null; }
const User = JXPSchema.model("User", UserSchema);
module.exports = User;
`,
  'test_model.js': `/* global JXPSchema ObjectId Mixed */
const TestSchema = new JXPSchema({
  foo: { type: String },
  other_id: { type: ObjectId, link: "Test", map_to: "other" },
  any: Mixed,
  yack: { yack: String },
  _perms: { all: "cr", admin: "crud" },
});
TestSchema.statics.test = function () { return "Testing OKAY!"; };
const Test = JXPSchema.model("Test", TestSchema);
module.exports = Test;
`,
  'article_model.js': `/* global JXPSchema ObjectId */
const mongoose = require("mongoose");
const ArticleSchema = new JXPSchema({
  title: { type: String, required: true, trim: true },
  slug: String,
  author_id: { type: ObjectId, link: "user" },
  tag_id: [{ type: ObjectId, link: "tag" }],
  views: { type: Number, default: 0 },
}, {
  perms: { all: "r", user: "cr", owner: "crud", admin: "crud" },
  toJSON: { virtuals: true },
});
ArticleSchema.virtual("shout").get(function () { return this.title.toUpperCase(); });
ArticleSchema.index({ title: "text" });
ArticleSchema.pre("save", function (next) {
  if (this.title === "forbidden") return next(new TypeError("CANARY"));
  this.slug = this.title.toLowerCase().replace(/ /g, "-");
  next();
});
ArticleSchema.statics.headline = function (data) { return { line: data.line + "!" }; };
const Article = mongoose.model("Article", ArticleSchema);
module.exports = Article;
`,
  'post_model.js': `/* global JXPSchema */
module.exports = JXPSchema.model("BlogEntry", new JXPSchema({ text: String }, { perms: { all: "r" } }));
`,
  'tag_model.js': `const mongoose = require("mongoose");
const Schema = mongoose.Schema;
const TagSchema = new Schema({ label: { type: String, unique: true } }, { perms: { all: "r", user: "crud" } });
module.exports = mongoose.model("Label", TagSchema);
`,
};

let folder = '';
let server: ServerProcess;
let authorization = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preload-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  server = await startProcess(
    { MODELS_DIR: folder, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent', BCRYPT_COST: '4' },
    ['--import', `./${programOf('src/jxp.ts')}`],
  );
  if (server.url === '') throw new Error(server.printed());
  await send('POST', '/setup', { email: 'Root@x.test', password: 'pw-root-1' });
  const { token } = await send('POST', '/login', { email: 'root@x.test', password: 'pw-root-1' });
  authorization = `Bearer ${String(token)}`;
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object): Promise<Record<string, any>> {
  const headers = authorization === '' ? {} : { authorization };
  const answer = await request(method, server.url + path, { body, headers });
  return { code: answer.status, ...answer.body };
}

test('JXPSchema, ObjectId and Mixed are defined; link, map_to and _perms keep their meaning', async () => {
  const { data } = await send('POST', '/api/test', { foo: 'a', any: { x: 1 }, yack: { yack: 'y' } });
  await send('POST', '/api/test', { foo: 'b', other_id: data._id });
  const { data: found } = await send('GET', '/api/test?filter[foo]=b&populate=other');
  expect(found).toMatchObject([{ foo: 'b', other: { foo: 'a' } }]);
  const { data: described } = await send('GET', '/model/test');
  expect(described).toMatchObject({ collection: 'tests', perms: { all: 'cr' } });
});

test('middleware with next, virtuals, text indexes and links of a compiled model work', async () => {
  const tag = await send('POST', '/api/tag', { label: 'fine' });
  const made = await send('POST', '/api/article', { title: 'Hello World', tag_id: [tag['data']._id] });
  expect(made).toMatchObject({ code: 201, data: { slug: 'hello-world', shout: 'HELLO WORLD', views: 0 } });
  const refused = await send('POST', '/api/article', { title: 'forbidden' });
  expect(refused['code']).toBe(500);
  expect(JSON.stringify(refused)).not.toContain('CANARY');
  const { data } = await send('GET', '/api/article?search=world&populate=tag,user');
  expect(data).toMatchObject([{ title: 'Hello World', tag: [{ label: 'fine' }], user: null }]);
  expect((await send('GET', '/model/tag'))['data'].collection).toBe('labels');
  expect((await send('GET', '/model/post'))['data'].collection).toBe('blogentries');
});

test('users of its own user model sign in, and its setters run', async () => {
  const { data } = await send('GET', '/api/user');
  expect(data).toMatchObject([{ email: 'root@x.test', admin: true }]);
  expect(data[0].password).toBeUndefined();
});

test('only listed functions are callable, as documented', async () => {
  expect((await send('POST', '/call/article/headline', { line: 'x' }))['code']).toBe(403);
});
