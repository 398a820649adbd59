/** The server to compare with: node:http, the driver and JSON.stringify, written by hand for these requests only. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import mongoose from 'mongoose';

const { MongoClient, ObjectId } = mongoose.mongo;
type Row = Record<string, unknown>;

const client = await new MongoClient(process.env['MONGODB_URL'] ?? '', { minPoolSize: 2, maxPoolSize: 50 }).connect();
const db = client.db();
const items = db.collection('items');
const makers = db.collection('makers');
const drafts = db.collection('drafts');
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
const tokens = new Set([digest(process.env['TOKEN'] ?? '')]);
const there = { _deleted: { $ne: true } };

function withId({ _id, ...rest }: Row): Row {
  return { _id, id: _id, ...rest };
}

async function one(id: string): Promise<unknown> {
  const row = await items.findOne({ _id: new ObjectId(id) });
  return row === null || row['_deleted'] === true ? undefined : { data: withId(row) };
}

async function list(query: URLSearchParams, kind = query.get('filter[kind]')): Promise<unknown> {
  const limit = Number(query.get('limit'));
  const found = await items
    .find(kind === null ? there : { $and: [{ kind }, { stock: { $gte: 100 } }, there] })
    .sort(kind === null ? { _id: 1 } : { price: -1, _id: 1 })
    .limit(limit + 1)
    .toArray();
  const rows: Row[] = found.slice(0, limit).map(withId);
  if (query.has('populate')) await link(rows);
  return { data: rows, limit, page: 1, ...(found.length > limit ? { next: '?page=2' } : {}) };
}

async function link(rows: Row[]): Promise<void> {
  const ids = [...new Set(rows.map((row) => String(row['maker_id'])))].map((id) => new ObjectId(id));
  const found = await makers.find({ _id: { $in: ids }, ...there }).toArray();
  const byId = new Map(found.map((row) => [String(row._id), withId(row)]));
  for (const row of rows) row['maker'] = byId.get(String(row['maker_id'])) ?? null;
}

async function aggregate(stages: Row[]): Promise<unknown> {
  return { data: await items.aggregate([{ $match: there }, ...stages]).toArray() };
}

const columns = [
  ...['_id', 'title', 'kind', 'code', 'description', 'price', 'stock', 'rating', 'active', 'released'],
  ...['size.width', 'size.height', 'size.depth', 'size.unit', 'labels', 'maker_id', '_deleted', '_owner_id'],
  ...['_updated_by_id', 'createdAt', 'updatedAt', '__v'],
].map((name) => name.split('.'));

function cell(row: Row, [first = '', second]: readonly string[]): string {
  const value = second === undefined ? row[first] : (row[first] as Row)[second];
  if (value === undefined || value === null) return '';
  const text =
    value instanceof Date ? value.toISOString() : Array.isArray(value) ? JSON.stringify(value) : String(value);
  const harmless = typeof value === 'string' && /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

async function csv(query: URLSearchParams): Promise<string> {
  const found: Row[] = await items
    .find(there)
    .sort({ _id: 1 })
    .limit(Number(query.get('limit')))
    .toArray();
  const lines = found.map((row) => columns.map((column) => cell(row, column)).join(','));
  return [columns.map((column) => column.join('.')).join(','), ...lines, ''].join('\r\n');
}

function draftFrom(body: Row): Row {
  const now = new Date();
  return {
    ...body,
    released: new Date(String(body['released'])),
    maker_id: new ObjectId(String(body['maker_id'])),
    _deleted: false,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
}

async function createMany(operations: { insertOne: { document: Row } }[]): Promise<unknown> {
  const { insertedCount, insertedIds } = await drafts.insertMany(
    operations.map(({ insertOne }) => draftFrom(insertOne.document)),
  );
  return { status: 'ok', data: { ok: 1, nInserted: insertedCount, insertedIds } };
}

async function create(body: Row): Promise<unknown> {
  const row = draftFrom(body);
  const { insertedId } = await drafts.insertOne(row);
  return { status: 'ok', message: 'draft created', data: withId({ ...row, _id: insertedId }) };
}

async function update(id: string, body: Row): Promise<unknown> {
  const row = await items.findOneAndUpdate(
    { _id: new ObjectId(id), ...there },
    { $set: { ...body, updatedAt: new Date() }, $inc: { __v: 1 } },
    { returnDocument: 'after' },
  );
  return row === null ? undefined : { status: 'ok', message: 'item updated', data: withId(row) };
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(req: IncomingMessage): Promise<[number, unknown]> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
  const [, group, model, id] = pathname.split('/');
  const token = req.headers.authorization?.slice('Bearer '.length);
  if (token !== undefined && !tokens.has(digest(token))) return [401, { status: 'fail' }];
  if (group === 'query') {
    const { query } = (await bodyOf(req)) as { query: { kind: string } };
    return [200, await list(searchParams, query.kind)];
  }
  if (group === 'aggregate') return [200, await aggregate((await bodyOf(req)) as Row[])];
  if (group === 'csv') return [200, await csv(searchParams)];
  if (group === 'bytes') return [200, '.'.repeat(Number(model))];
  if (req.method !== 'GET' && token === undefined) return [401, { status: 'fail' }];
  if (group === 'bulkwrite') return [200, await createMany((await bodyOf(req)) as { insertOne: { document: Row } }[])];
  if (req.method === 'POST' && model === 'draft') return [201, await create((await bodyOf(req)) as Row)];
  if (req.method === 'PUT' && id !== undefined) return [200, await update(id, (await bodyOf(req)) as Row)];
  return [200, id === undefined ? await list(searchParams) : await one(id)];
}

function handle(req: IncomingMessage, res: ServerResponse): void {
  answer(req).then(
    ([status, value]) => {
      const isText = typeof value === 'string';
      const body = Buffer.from(isText ? value : JSON.stringify(value ?? { status: 'fail' }));
      const type = isText ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
      const headers = { 'Content-Type': type, 'Content-Length': body.length };
      res.writeHead(value === undefined ? 404 : status, headers).end(body);
    },
    () => res.writeHead(500, { 'Content-Length': 0 }).end(),
  );
}

createServer(handle).listen(Number(process.env['PORT']), '127.0.0.1');
