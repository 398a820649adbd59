/** Reads MongoDB's wire messages: whole messages from a socket, and the command in an OP_MSG without decoding its values. */
import type { Socket } from 'node:net';

export interface Command {
  readonly name: string;
  /** The collection of the command; empty where its value names none. */
  readonly collection: string;
  /** The BSON document of the command, without its document sequence. */
  readonly body: Buffer;
  /** How many documents the message carries: those of an insert. */
  documents(): number;
  /** The bytes of the command without some of its top-level elements, as text. */
  keyWithout(skipped: ReadonlySet<string>): string;
}

/** Calls back with each whole message. */
export function readMessages(socket: Socket, received: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      received(whole);
    }
  });
}

/** Header and flags; then a byte 0 and the command's document, and perhaps a byte 1 and a document sequence. */
const bodyAt = 21;

export function readCommand(message: Buffer): Command {
  const body = message.subarray(bodyAt, bodyAt + message.readInt32LE(bodyAt));
  const elements = elementsOf(body);
  const [first] = elements;
  const isGetMore = first?.name === 'getMore';
  const target = isGetMore ? elements.find(({ name }) => name === 'collection') : first;
  return {
    name: first?.name ?? '',
    collection: target?.type === 0x02 ? body.toString('utf8', target.value + 4, target.end - 1) : '',
    body,
    documents: () => sequenceLength(message, bodyAt + body.length) || listLength(body, elements),
    keyWithout: (skipped) =>
      elements
        .filter(({ name }) => !skipped.has(name))
        .map(({ from, end }) => body.toString('latin1', from, end))
        .join(''),
  };
}

/** The number of documents in a document sequence: its size, its name, and the documents. */
function sequenceLength(message: Buffer, at: number): number {
  if (at >= message.length || message[at] !== 1) return 0;
  const end = at + 1 + message.readInt32LE(at + 1);
  let count = 0;
  for (let from = message.indexOf(0, at + 5) + 1; from < end; from += message.readInt32LE(from)) count += 1;
  return count;
}

function listLength(body: Buffer, elements: readonly Element[]): number {
  const list = elements.find(({ name }) => name === 'documents');
  return list === undefined ? 0 : elementsOf(body.subarray(list.value, list.end)).length;
}

interface Element {
  readonly type: number;
  readonly name: string;
  /** Where the element begins, where its value begins, and where it ends. */
  readonly from: number;
  readonly value: number;
  readonly end: number;
}

function elementsOf(document: Buffer): Element[] {
  const elements: Element[] = [];
  for (let from = 4; from < document.length - 1;) {
    const type = document[from] ?? 0;
    const value = document.indexOf(0, from + 1) + 1;
    const end = value + sizeOf(type, document, value);
    elements.push({ type, name: document.toString('utf8', from + 1, value - 1), from, value, end });
    from = end;
  }
  return elements;
}

/** The bytes of a value of a BSON type (bsonspec.org); types that no command here has are refused. */
function sizeOf(type: number, document: Buffer, at: number): number {
  if (type === 0x02) return 4 + document.readInt32LE(at);
  if (type === 0x03 || type === 0x04) return document.readInt32LE(at);
  if (type === 0x05) return 5 + document.readInt32LE(at);
  const fixed: Readonly<Record<number, number>> = { 1: 8, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8, 19: 16 };
  const size = fixed[type];
  if (size === undefined) throw new Error(`a command has a value of the BSON type ${type}`);
  return size;
}
