/** Encodes a reply as OP_MSG or OP_REPLY. Documents that are bytes already are copied, not encoded again. */
import type { Doc } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import type { CursorBatch, Reply, Request } from '../protocol.ts';

const arrayKeys: readonly Buffer[] = Array.from({ length: 1000 }, (_, index) =>
  Buffer.from(`\x03${index}\0`, 'latin1'),
);
const arrayKey = (index: number): Buffer => arrayKeys[index] ?? Buffer.from(`\x03${index}\0`, 'latin1');

const messageHead = 16 + 4 + 1;
const legacyHead = 16 + 20;

/** Encodes the whole message of a reply. */
export function writeReply(request: Request, reply: Reply, responseId: number): Buffer {
  const head = request.legacy ? legacyHead : messageHead;
  const message = reply.cursor === undefined ? plain(reply.fields, head) : withCursor(reply.fields, reply.cursor, head);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(responseId, 4);
  message.writeInt32LE(request.requestId, 8);
  message.writeInt32LE(request.legacy ? 1 : 2013, 12);
  message.fill(0, 16, head);
  if (request.legacy) {
    message.writeInt32LE(8, 16);
    message.writeInt32LE(1, 32);
  }
  return message;
}

function plain(fields: Doc, head: number): Buffer {
  const body = encode(fields);
  const message = Buffer.allocUnsafe(head + body.length);
  message.set(body, head);
  return message;
}

/** { cursor: { <batchName>: [documents], <rest> }, <fields> }; the lengths are filled in last. */
function withCursor(fields: Doc, cursor: CursorBatch, head: number): Buffer {
  const rest: Doc = {
    id: cursor.id,
    ns: cursor.ns,
    ...(cursor.postBatchResumeToken ? { postBatchResumeToken: cursor.postBatchResumeToken } : {}),
  };
  const cursorTail = encode(rest).subarray(4);
  const tail = encode(fields).subarray(4);
  const batchHead = Buffer.from(`\x04${cursor.batchName}\0`, 'latin1');
  const cursorHead = Buffer.from('\x03cursor\0', 'latin1');
  const batchLength = 4 + listLength(cursor.batch) + 1;
  const cursorLength = 4 + batchHead.length + batchLength + cursorTail.length;
  const message = Buffer.allocUnsafe(head + 4 + cursorHead.length + cursorLength + tail.length);
  let at = message.writeInt32LE(message.length - head, head);
  at = put(message, cursorHead, at);
  at = message.writeInt32LE(cursorLength, at);
  at = put(message, batchHead, at);
  at = message.writeInt32LE(batchLength, at);
  at = putList(message, cursor.batch, at);
  at = put(message, cursorTail, at);
  put(message, tail, at);
  return message;
}

function listLength(batch: readonly Uint8Array[]): number {
  let length = 0;
  for (let index = 0; index < batch.length; index += 1) {
    length += arrayKey(index).length + (batch[index]?.length ?? 0);
  }
  return length;
}

function putList(message: Buffer, batch: readonly Uint8Array[], start: number): number {
  let at = start;
  for (let index = 0; index < batch.length; index += 1) {
    at = put(message, arrayKey(index), at);
    const document = batch[index];
    if (document !== undefined) at = put(message, document, at);
  }
  message[at] = 0;
  return at + 1;
}

function put(message: Buffer, bytes: Uint8Array, at: number): number {
  message.set(bytes, at);
  return at + bytes.length;
}
