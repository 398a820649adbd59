/** Messages that no driver sends: each gets an error or ends its connection, and the store keeps running. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';
import { bodyMessage, commandMessage, messageOf, queryMessage, RawConnection } from './raw.ts';

let store: OpenStore;
let connection: RawConnection;
beforeAll(async () => {
  store = await open({ thread: false });
});
afterEach(async () => {
  connection.close();
  const other = await RawConnection.to(store.address);
  expect(await other.command({ ping: 1 })).toMatchObject({ ok: 1 });
  other.close();
});
afterAll(() => store.close());

/** The result: the code of an error, 0 for success, or `ended`. */
async function sent(bytes: Uint8Array): Promise<unknown> {
  connection = await RawConnection.to(store.address);
  connection.send(bytes);
  const answer = await connection.next();
  return answer === undefined ? 'ended' : (answer.document['code'] ?? 0);
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const ping = serialize({ ping: 1, $db: 'admin' });
const noFlags = bytes(0, 0, 0, 0);

/** The BSON of a document with these elements, with the correct or a given length. */
function bsonOf(elements: Uint8Array, length = elements.length + 5): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32LE(length);
  return Buffer.concat([size, elements, bytes(0)]);
}

/** An element `a`. */
const element = (type: number, value: Uint8Array = bytes()): Buffer => Buffer.concat([bytes(type, 97, 0), value]);

/** {a: {a: …}}, built without recursion. */
function nested(levels: number, type = 3): Buffer {
  const size = 5 + levels * 8;
  const all = Buffer.alloc(size);
  for (let level = 0, at = 0; level < levels; level += 1, at += 7) {
    all.writeInt32LE(size - level * 8, at);
    all.set([type, 97, 0], at + 4);
  }
  all.writeInt32LE(5, levels * 7);
  return all;
}

/** A section of kind 1. */
function sequence(name: string, documents: readonly Uint8Array[], size?: number): Buffer {
  const rest = Buffer.concat([Buffer.from(`${name}\0`), ...documents]);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeInt32LE(size ?? rest.length + 4, 1);
  return Buffer.concat([head, rest]);
}

const sections = (...parts: readonly Uint8Array[]): Buffer => messageOf({ rest: Buffer.concat([noFlags, ...parts]) });
const body = (bson: Uint8Array): Buffer => Buffer.concat([bytes(0), bson]);
const insert = serialize({ insert: 'things', $db: 't' });

describe('frames', () => {
  test.each([
    ['a length of 0', messageOf({ rest: ping, length: 0 }), 'ended'],
    ['a length of 15', messageOf({ rest: ping, length: 15 }), 'ended'],
    ['a negative length', messageOf({ rest: ping, length: -1 }), 'ended'],
    ['a length above 48 MB', messageOf({ rest: ping, length: 48_000_001 }), 'ended'],
    ['a length of 2 GB', messageOf({ rest: ping, length: 0x7fffffff }), 'ended'],
    ['a header alone', messageOf({ rest: bytes() }), 'ended'],
    ['flags alone', messageOf({ rest: noFlags }), 'ended'],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'), 'ended'],
    ...[0, 1, 2001, 2002, 2005, 2006, 2012, -1].map(
      (operation) =>
        [`operation ${operation}`, messageOf({ operation, rest: Buffer.concat([noFlags, ping]) }), 'ended'] as const,
    ),
    ['an unknown flag', bodyMessage(ping, 4), 'ended'],
    ['a checksum that is wrong', bodyMessage(Buffer.concat([ping, bytes(1, 2, 3, 4)]), 1), 'ended'],
    ['a checksum that is missing', bodyMessage(ping, 1), 'ended'],
    ['an unknown optional flag', bodyMessage(ping, 0x20000), 0],
  ] as const)('%s', async (_, message, expected) => {
    expect(await sent(message)).toBe(expected);
  });

  test('a truncated message', async () => {
    connection = await RawConnection.to(store.address);
    connection.send(commandMessage({ ping: 1, $db: 'admin' }).subarray(0, 20));
    const other = await RawConnection.to(store.address);
    expect(await other.command({ ping: 1 })).toMatchObject({ ok: 1 });
    other.close();
  });

  test('a message byte by byte, and three at once', async () => {
    connection = await RawConnection.to(store.address);
    const message = commandMessage({ ping: 1, $db: 'admin' });
    for (const byte of message) connection.send(bytes(byte));
    expect((await connection.next())?.document).toMatchObject({ ok: 1 });
    connection.send(Buffer.concat([message, message, message]));
    for (let answer = 0; answer < 3; answer += 1) expect((await connection.next())?.document).toMatchObject({ ok: 1 });
  });

  test('a message without acknowledgement gets no reply, even if it fails', async () => {
    connection = await RawConnection.to(store.address);
    connection.send(commandMessage({ nonsense: 1, $db: 'admin' }, 2));
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
});

describe('sections', () => {
  test.each([
    ['none', sections(), 'ended'],
    ['two bodies', sections(body(ping), body(ping)), 'ended'],
    ['an unknown kind', sections(bytes(2), ping), 'ended'],
    ['a list without a body', sections(sequence('documents', [ping])), 'ended'],
    ['a list with a length that is too large', sections(body(insert), sequence('documents', [ping], 9999)), 'ended'],
    ['a list with a length that is too small', sections(body(insert), sequence('documents', [ping], 12)), 'ended'],
    ['a list with a negative length', sections(body(insert), sequence('documents', [ping], -5)), 'ended'],
    [
      'two lists with the same name',
      sections(body(insert), sequence('documents', [ping]), sequence('documents', [ping])),
      'ended',
    ],
    ['a list that the command does not have', sections(body(insert), sequence('__proto__', [ping])), 40415],
    ['a list of a command without lists', sections(body(ping), sequence('documents', [ping])), 40415],
    ['an empty list', sections(body(insert), sequence('documents', [])), 16],
    ['a document that is cut off', sections(body(insert), sequence('documents', [ping.subarray(0, -4)])), 22],
    [
      'documents twice',
      sections(body(serialize({ insert: 'things', documents: [{}], $db: 't' })), sequence('documents', [ping])),
      'ended',
    ],
  ] as const)('%s', async (_, message, expected) => {
    expect(await sent(message)).toBe(expected);
  });
});

test('an invalid document in a list fails alone', async () => {
  connection = await RawConnection.to(store.address);
  connection.send(sections(body(insert), sequence('documents', [bsonOf(element(0x77))])));
  expect((await connection.next())?.document).toMatchObject({ n: 0, writeErrors: [{ index: 0, code: 22 }] });
});

describe('BSON', () => {
  test.each([
    ['a length of 0', bsonOf(element(0x0a), 0), 22],
    ['a negative length', bsonOf(element(0x0a), -7), 22],
    ['a length beyond the message', bsonOf(element(0x0a), 4000), 22],
    ['a length of 2 GB', bsonOf(element(0x0a), 0x7fffffff), 22],
    ['no end', Buffer.concat([bsonOf(element(0x0a)).subarray(0, -1), bytes(1)]), 22],
    ['an unknown type', bsonOf(element(0x77)), 22],
    ['a name without an end', bsonOf(bytes(0x0a, 97)), 22],
    ['a name that is not UTF-8', bsonOf(bytes(0x0a, 0xc3, 0x28, 0)), 22],
    ['a text that is not UTF-8', bsonOf(element(0x02, bytes(3, 0, 0, 0, 0xc3, 0x28, 0))), 22],
    ['a text longer than the document', bsonOf(element(0x02, bytes(0xff, 0xff, 0xff, 0x7f, 97, 0))), 22],
    ['a text of negative length', bsonOf(element(0x02, bytes(0xff, 0xff, 0xff, 0xff, 97, 0))), 22],
    ['a text without its end', bsonOf(element(0x02, bytes(1, 0, 0, 0, 97))), 22],
    ['a number that is cut off', bsonOf(element(0x12, bytes(1, 2))), 22],
    ['a boolean of 2', bsonOf(element(0x08, bytes(2))), 22],
    ['a binary of negative length', bsonOf(element(0x05, bytes(0xff, 0xff, 0xff, 0xff, 0))), 22],
    ['a pattern without an end', bsonOf(element(0x0b, bytes(97, 0, 105))), 22],
    ['an inner document that is too long', bsonOf(element(0x03, bytes(50, 0, 0, 0, 0))), 22],
    ['500 levels', nested(500), 15],
    ['500 levels of lists', nested(500, 4), 15],
    ['a million levels', nested(1_000_000), 15],
  ] as const)('%s', async (_, bson, expected) => {
    expect(await sent(bodyMessage(bson))).toBe(expected);
  });
});

describe('commands', () => {
  const object = serialize({ find: { toString: 1, valueOf: 1 }, $db: 't' });
  test.each([
    ['no name', serialize({}), 59],
    ['an empty name', serialize({ '': 1, $db: 't' }), 59],
    ['a name of Object.prototype', serialize({ constructor: 1, $db: 't' }), 59],
    ['__proto__', bsonOf(Buffer.concat([bytes(0x10), Buffer.from('__proto__\0'), bytes(1, 0, 0, 0)])), 59],
    ['no database', serialize({ ping: 1 }), 40414],
    ['a database that is a number', serialize({ ping: 1, $db: 1 }), 40414],
    ['a database without a string form', serialize({ ping: 1, $db: { toString: 1, valueOf: 1 } }), 40414],
    ['a collection without a string form', object, 73],
    ['an invalid session', serialize({ ping: 1, $db: 't', lsid: { id: { toString: 1 } } }), 14],
    ['a time that is a string', serialize({ ping: 1, $db: 't', maxTimeMS: 'x' }), 14],
    ['a time that is not a number', serialize({ ping: 1, $db: 't', maxTimeMS: Number.NaN }), 9],
    ['a time that is negative', serialize({ ping: 1, $db: 't', maxTimeMS: -1 }), 2],
    ['an unknown field', serialize({ ping: 1, $db: 't', nonsense: 1 }), 40415],
  ] as const)('%s', async (_, bson, expected) => {
    expect(await sent(bodyMessage(bson))).toBe(expected);
  });

  test('unknown names leave no trace', async () => {
    connection = await RawConnection.to(store.address);
    for (let at = 0; at < 20; at += 1) await connection.command({ [`nonsense${at}`]: 1 });
    const status = await connection.command({ serverStatus: 1 });
    const names = Object.keys(status?.['metrics'].commands as object);
    expect(names.filter((name) => name.startsWith('nonsense'))).toEqual([]);
  });

  test('replies that the client does not read are not computed in advance', async () => {
    const client = await MongoClient.connect(store.url);
    await client
      .db('t')
      .collection('large')
      .insertMany(Array.from({ length: 8 }, () => ({ text: 'x'.repeat(1_000_000) })));
    connection = await RawConnection.to(store.address);
    connection.pause();
    connection.send(Buffer.concat(Array.from({ length: 200 }, () => commandMessage({ find: 'large', $db: 't' }))));
    const finds = async (): Promise<number> =>
      ((await client.db('t').admin().serverStatus())['metrics'].commands.find?.total as number | undefined) ?? 0;
    let before = -1;
    for (let now = await finds(); now !== before || now === 0; now = await finds()) {
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(before).toBeLessThan(10);
    await client.close();
  });
});

describe('OP_QUERY', () => {
  test.each([{ isMaster: 1 }, { ismaster: 1, helloOk: true }, { hello: 1 }])('is accepted for %j', async (query) => {
    connection = await RawConnection.to(store.address);
    connection.send(queryMessage('admin.$cmd', query));
    const answer = await connection.next();
    expect(answer?.operation).toBe(1);
    expect(answer?.document).toMatchObject({ ok: 1, ismaster: true, maxWireVersion: 21 });
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  test.each([
    ['another command', queryMessage('admin.$cmd', { listDatabases: 1 }), 352],
    ['a collection', queryMessage('t.things', { hello: 1 }), 352],
    ['no document', messageOf({ operation: 2004, rest: Buffer.from('\0\0\0\0admin.$cmd\0\0\0\0\0\0\0\0\0') }), 22],
    ['a name without an end', messageOf({ operation: 2004, rest: Buffer.from('\0\0\0\0admin') }), 'ended'],
    ['nothing', messageOf({ operation: 2004, rest: bytes() }), 'ended'],
  ] as const)('with %s is refused', async (_, message, expected) => {
    expect(await sent(message)).toBe(expected);
  });
});
