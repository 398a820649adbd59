/**
 * A backend that answers from memory, so that a measurement shows what the servers cost and not the database. It implements MongoDB's wire
 * protocol (MongoDB manual, "MongoDB Wire Protocol": OP_MSG) as a standalone server in front of a real engine:
 *
 * - A read of a measured collection is sent to the engine once; then its reply is repeated, byte by byte.
 * - A write to a measured collection is acknowledged, and changes nothing. `findAndModify` replies as it did the first time.
 * - Everything else, such as sessions, users and indexes, is passed through.
 *
 * Started by `fork` with the URL of an engine that requires no password and the names of the measured collections. Its first message is its
 * own URL. It answers each message with the number of commands since the last one, heartbeats excluded.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import mongoose from 'mongoose';
import { type Command, readCommand, readMessages } from './wire.ts';

const { BSON, Long, MongoClient } = mongoose.mongo;
type Document = Record<string, unknown>;

const [engineUrl = '', ...measured] = process.argv.slice(2);
const engine = await new MongoClient(engineUrl).connect();
/** Pages are read in the session of their cursor. */
const session = engine.startSession();
const opMsg = 2013;
const opQuery = 2004;
const opReply = 1;

let commands = 0;
let lastRequest = 1;
let lastCursor = 1;
/** Replies of reads by their command without what differs between equal ones; a cursor's next page by the id of the cursor. */
const replies = new Map<string, Promise<Buffer>>();
/** The cursors of the engine with a page that was not requested yet. */
const cursors = new Map<string, unknown>();

const encode = (document: Document): Buffer => Buffer.from(BSON.serialize(document));
const ok = encode({ ok: 1 });

/** A server without replication: no transactions, no change streams, no retryable writes. */
const hello = (): Buffer =>
  encode({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: 21,
    ok: 1,
  });

/** A message with its header; an OP_REPLY has 20 bytes before its document, an OP_MSG 5. */
function message(document: Buffer, to: number, code = opMsg): Buffer {
  const head = Buffer.alloc(code === opReply ? 36 : 21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(lastRequest++, 4);
  head.writeInt32LE(to, 8);
  head.writeInt32LE(code, 12);
  if (code === opReply) head.writeInt32LE(1, 32);
  return Buffer.concat([head, document]);
}

/** Parts of a command that do not affect its result. */
const incidental = new Set(['lsid', '$clusterTime', '$readPreference', 'txnNumber', 'maxTimeMS', 'apiVersion']);

/** Values keep their BSON types. */
const exact = { promoteValues: false, promoteLongs: false, bsonRegExp: true };

/** Runs a read on the engine. The cursor of its reply gets an id under which its next page is kept too. */
async function record({ $db, ...command }: Document): Promise<Buffer> {
  const clean = Object.fromEntries(Object.entries(command).filter(([name]) => !incidental.has(name)));
  const reply: Document = await engine.db(String($db)).command(clean, { session, ...exact });
  const { cursor } = reply as { cursor?: { id: unknown } };
  if (cursor === undefined || String(cursor.id) === '0') return encode(reply);
  const id = Long.fromNumber(lastCursor++);
  cursors.set(String(id), cursor.id);
  return encode({ ...reply, cursor: { ...cursor, id } });
}

function once(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const kept = replies.get(key) ?? make();
  replies.set(key, kept);
  return kept;
}

/** The commands that are answered from memory; others, such as those that create indexes, are passed through. */
const replayed = new Set([
  ...['find', 'getMore', 'killCursors', 'aggregate', 'count', 'distinct'],
  ...['insert', 'update', 'delete', 'findAndModify'],
]);

/** The reply to a command on a measured collection. */
function replyTo(command: Command): Buffer | Promise<Buffer> {
  const { name, collection } = command;
  if (name === 'insert') return encode({ n: command.documents(), ok: 1 });
  if (name === 'update') return encode({ n: 1, nModified: 1, ok: 1 });
  if (name === 'delete') return encode({ n: 1, ok: 1 });
  if (name === 'killCursors') return ok;
  const whole = (): Document => BSON.deserialize(command.body, exact);
  if (name === 'getMore') {
    const { getMore } = whole();
    const next = cursors.get(String(getMore));
    return once(`cursor ${String(getMore)}`, () => record({ ...whole(), getMore: next }));
  }
  // an update sets the time, so its text is always new
  const skipped = name === 'findAndModify' ? new Set([...incidental, 'update']) : incidental;
  return once(`${name} ${collection} ${command.keyWithout(skipped)}`, () => record(whole()));
}

interface HostAddress {
  readonly socketPath?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

const connectTo = ({ socketPath, host = 'localhost', port = 27_017 }: HostAddress): Socket =>
  socketPath === undefined ? connect(port, host) : connect(socketPath);

function serve(client: Socket): void {
  client.setNoDelay(true);
  const through = connectTo(engine.options.hosts[0] ?? {}).setNoDelay(true);
  through.pipe(client);
  client.on('error', () => client.destroy()).on('close', () => through.destroy());
  through.on('error', () => client.destroy());
  readMessages(client, (bytes) => {
    const id = bytes.readInt32LE(4);
    if (bytes.readInt32LE(12) === opQuery) return void client.write(message(hello(), id, opReply));
    const command = readCommand(bytes);
    if (command.name === 'hello' || command.name === 'ismaster') return void client.write(message(hello(), id));
    commands += 1;
    if (!measured.includes(command.collection) || !replayed.has(command.name)) return void through.write(bytes);
    const reply = replyTo(command);
    if (Buffer.isBuffer(reply)) client.write(message(reply, id));
    else void reply.then((document) => client.write(message(document, id)));
  });
}

process.on('message', () => {
  process.send?.(commands);
  commands = 0;
});
process.on('disconnect', () => process.exit());

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`mongodb://127.0.0.1:${port}/${engine.options.dbName}?directConnection=true`);
});
