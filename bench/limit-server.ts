/** The yardstick: node:http, the driver and JSON.stringify, written by hand for these requests and nothing else. */
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

async function list(query: URLSearchParams): Promise<unknown> {
  const limit = Number(query.get('limit'));
  const kind = query.get('filter[kind]');
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

async function create(body: Row): Promise<unknown> {
  const now = new Date();
  const row = {
    ...body,
    released: new Date(String(body['released'])),
    maker_id: new ObjectId(String(body['maker_id'])),
    _deleted: false,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
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

async function bodyOf(req: IncomingMessage): Promise<Row> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Row;
}

async function answer(req: IncomingMessage): Promise<[number, unknown]> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
  const [, , model, id] = pathname.split('/');
  const token = req.headers.authorization?.slice('Bearer '.length);
  if (token !== undefined && !tokens.has(digest(token))) return [401, { status: 'fail' }];
  if (req.method !== 'GET' && token === undefined) return [401, { status: 'fail' }];
  if (req.method === 'POST' && model === 'draft') return [201, await create(await bodyOf(req))];
  if (req.method === 'PUT' && id !== undefined) return [200, await update(id, await bodyOf(req))];
  return [200, id === undefined ? await list(searchParams) : await one(id)];
}

function handle(req: IncomingMessage, res: ServerResponse): void {
  answer(req).then(
    ([status, value]) => {
      const body = Buffer.from(JSON.stringify(value ?? { status: 'fail' }));
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
      res.writeHead(value === undefined ? 404 : status, headers).end(body);
    },
    () => res.writeHead(500, { 'Content-Length': 0 }).end(),
  );
}

createServer(handle).listen(Number(process.env['PORT']), '127.0.0.1');
