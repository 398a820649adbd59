/**
 * Reads a wire protocol message: OP_MSG with all kinds of sections, and OP_QUERY for the first `hello` of old drivers.
 */
import { StoreError } from 'dossier-language/errors';
import { decode } from 'dossier-language/values';
import type { Request } from '../protocol.ts';
import { documentLength, documentsOf, elementsOf, withoutElement } from '../raw-bson.ts';
import { crc32c } from './crc32c.ts';
import { headerLength } from './frame.ts';

const opQuery = 2004;
const opMessage = 2013;

const checksumPresent = 1;
const moreToCome = 2;
const requiredFlags = 0xffff;

/** Commands that are accepted as OP_QUERY. */
const helloNames: readonly string[] = ['hello', 'isMaster', 'ismaster'];

/** The field of a write command whose documents stay bytes, in the body too. */
const listOf: ReadonlyMap<string, string> = new Map([
  ['insert', 'documents'],
  ['update', 'updates'],
  ['delete', 'deletes'],
]);

/** Reads the request of a whole message. */
export function readMessage(message: Buffer): Request {
  const operation = message.readInt32LE(12);
  if (operation === opMessage) return readOpMessage(message);
  if (operation === opQuery) return readQuery(message);
  throw new StoreError(17, `wire operation ${operation} is not supported; use OP_MSG`);
}

function readOpMessage(message: Buffer): Request {
  if (message.length < headerLength + 5) throw new StoreError(17, 'an OP_MSG without a body');
  const flags = message.readUInt32LE(headerLength);
  if ((flags & requiredFlags & ~(checksumPresent | moreToCome)) !== 0) {
    throw new StoreError(17, 'an OP_MSG with unknown flags');
  }
  const end = flags & checksumPresent ? checkedEnd(message) : message.length;
  const sections = readSections(message.subarray(0, end), headerLength + 4);
  if (sections.body === undefined) throw new StoreError(17, 'an OP_MSG without a body');
  const body = takeList(sections.body, sections.sequences);
  return {
    requestId: message.readInt32LE(4),
    body: decode(body),
    sequences: sections.sequences,
    silent: (flags & moreToCome) !== 0,
    legacy: false,
  };
}

function checkedEnd(message: Buffer): number {
  const end = message.length - 4;
  if (message.readUInt32LE(end) !== crc32c(message.subarray(0, end))) {
    throw new StoreError(17, 'the checksum of a message does not match its bytes');
  }
  return end;
}

interface Sections {
  body: Uint8Array | undefined;
  readonly sequences: Map<string, readonly Uint8Array[]>;
}

function readSections(message: Buffer, start: number): Sections {
  const sections: Sections = { body: undefined, sequences: new Map() };
  let at = start;
  while (at < message.length) {
    const kind = message[at];
    if (kind === 0) {
      if (sections.body !== undefined) throw new StoreError(17, 'an OP_MSG with two bodies');
      const length = documentLength(message, at + 1);
      sections.body = message.subarray(at + 1, at + 1 + length);
      at += 1 + length;
    } else if (kind === 1) {
      at = readSequence(message, at + 1, sections.sequences);
    } else {
      throw new StoreError(17, `an OP_MSG section of kind ${kind}`);
    }
  }
  return sections;
}

function readSequence(message: Buffer, at: number, sequences: Map<string, readonly Uint8Array[]>): number {
  const size = at + 4 <= message.length ? message.readInt32LE(at) : 0;
  const end = at + size;
  const nameEnd = message.indexOf(0, at + 4);
  if (size < 5 || end > message.length || nameEnd < 0 || nameEnd >= end) {
    throw new StoreError(17, 'an OP_MSG with an incomplete section');
  }
  const name = message.toString('utf8', at + 4, nameEnd);
  if (sequences.has(name)) throw new StoreError(17, `an OP_MSG with two lists of ${name}`);
  const documents: Uint8Array[] = [];
  for (let position = nameEnd + 1; position < end;) {
    const length = documentLength(message.subarray(0, end), position);
    documents.push(message.subarray(position, position + length));
    position += length;
  }
  sequences.set(name, documents);
  return end;
}

/** Moves the documents of a write command out of its body, so that they stay the bytes that the client sent. */
function takeList(body: Uint8Array, sequences: Map<string, readonly Uint8Array[]>): Uint8Array {
  let list: string | undefined;
  let first = true;
  for (const element of elementsOf(body)) {
    if (first) list = listOf.get(element.name);
    first = false;
    if (list === undefined) return body;
    if (element.name !== list || element.type !== 4) continue;
    if (sequences.has(list)) throw new StoreError(17, `${list} is given twice`);
    sequences.set(list, documentsOf(body, element.value));
    return withoutElement(body, element);
  }
  return body;
}

function readQuery(message: Buffer): Request {
  const nameEnd = message.indexOf(0, headerLength + 4);
  const at = nameEnd + 9;
  if (nameEnd < 0) throw new StoreError(17, 'an incomplete OP_QUERY');
  const name = message.toString('utf8', headerLength + 4, nameEnd);
  const length = documentLength(message, at);
  const body = decode(message.subarray(at, at + length));
  if (!name.endsWith('.$cmd') || !helloNames.includes(Object.keys(body)[0] ?? '')) {
    throw new StoreError(352, 'OP_QUERY is only for the first hello; send commands as OP_MSG');
  }
  return {
    requestId: message.readInt32LE(4),
    body: { ...body, $db: name.slice(0, -'.$cmd'.length) },
    sequences: new Map(),
    silent: false,
    legacy: true,
  };
}
