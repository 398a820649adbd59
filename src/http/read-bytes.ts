/** Reads a request's body as bytes: decompressed, and up to the size limit. Nothing beyond it is read. */
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { badRequest, bodyTooLarge, wrongContentType } from '../errors.ts';

const decompressors = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * @param maxBytes also applies after decompression
 * @throws 400 for a broken body, 413 for one too large, 415 for an unknown encoding
 */
export async function readBytes(req: Request, maxBytes: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  requestBody(req);
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return collect(req, req, maxBytes);
  const decompressor = decompressors.get(encoding)?.();
  if (decompressor === undefined) throw wrongContentType('this content encoding is not supported');
  try {
    return await collect(req.pipe(decompressor), req, maxBytes);
  } finally {
    req.unpipe(decompressor);
    decompressor.destroy();
  }
}

/** Lets a client send its body that waits for that (RFC 9110, 10.1.1); `server.ts` refuses other expectations. */
function requestBody({ headers, httpVersionMinor, res }: Request): void {
  if (headers.expect !== undefined && httpVersionMinor > 0) res?.writeContinue();
}

function collect(stream: Readable, req: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((done, failed) => {
    const pieces: Buffer[] = [];
    let length = 0;
    stream.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= maxBytes) pieces.push(piece);
      else fail(bodyTooLarge(maxBytes));
    });
    stream.once('end', () => done(Buffer.concat(pieces, length)));
    stream.on('error', () => fail(badRequest('the body cannot be decompressed')));
    req.once('close', () => req.complete || fail(badRequest('the request ended before its body was complete')));
    const fail = (failure: Error): void => {
      stream.removeAllListeners('data');
      req.pause();
      failed(failure);
    };
  });
}
