/** Encodes text messages as WebSocket frames (RFC 6455, 5.2): whole, unmasked, and many per write. */

/** Bytes after which a write is full. */
const fullAt = 65_536;
/** Final frame, text. */
const text = 0x81;

/** The writes for messages that consist of parts. */
export function* writesOf(messages: Iterable<readonly Buffer[]>): Generator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const message of messages) {
    const length = message.reduce((sum, part) => sum + part.length, 0);
    const head = headOf(length);
    parts.push(head, ...message);
    bytes += head.length + length;
    if (bytes < fullAt) continue;
    yield Buffer.concat(parts, bytes);
    [parts, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(parts, bytes);
}

function headOf(length: number): Buffer {
  if (length < 126) return Buffer.from([text, length]);
  if (length < 65_536) return Buffer.from([text, 126, length >> 8, length & 255]);
  const head = Buffer.from([text, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUIntBE(length, 4, 6);
  return head;
}
