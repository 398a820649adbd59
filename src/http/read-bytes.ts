/** A request's body as bytes: decompressed, of at most the allowed size. What is beyond it is never read. */
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { badRequest, bodyTooLarge, wrongContentType } from '../errors.ts';

const decompressors = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** @param most bytes, also after decompression @throws 400 for a broken body, 413 for one too large, 415 for an unknown encoding */
export async function readBytes(req: Request, most: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > most) throw bodyTooLarge(most);
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return collect(req, req, most);
  const decompressor = decompressors.get(encoding)?.();
  if (decompressor === undefined) throw wrongContentType('this content encoding is not supported');
  try {
    return await collect(req.pipe(decompressor), req, most);
  } finally {
    req.unpipe(decompressor);
    decompressor.destroy();
  }
}

function collect(stream: Readable, req: Request, most: number): Promise<Buffer> {
  return new Promise((done, failed) => {
    const pieces: Buffer[] = [];
    let length = 0;
    stream.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= most) pieces.push(piece);
      else fail(bodyTooLarge(most));
    });
    stream.once('end', () => done(Buffer.concat(pieces, length)));
    stream.on('error', () => fail(badRequest('the body is not well encoded')));
    req.once('close', () => req.complete || fail(badRequest('the request ended too early')));
    const fail = (failure: Error): void => {
      stream.removeAllListeners('data');
      req.pause();
      failed(failure);
    };
  });
}
