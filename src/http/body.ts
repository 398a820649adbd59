/** Reads the body as plain data: JSON, a form or a patch in UTF-8, within the size limit and at most 100 levels deep. */
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { turnForJson } from '../async/yield.ts';
import { badBody, badRequest, bodyTooLarge, wrongContentType, wrongPatchType } from '../errors/errors.ts';
import { fromJson } from '../models/fields/values/exact-json.ts';
import { patchTypes } from '../write/patch/media-types.ts';
import { formBody, parseQueryString } from './query-string.ts';

const jsonType = 'application/json';
const formType = 'application/x-www-form-urlencoded';

/** A body as plain data, and as it was sent where that is JSON. */
interface Body {
  readonly value: unknown;
  readonly text?: string;
}

/** Reads the body of a request that has one. Of large ones that have arrived together one is parsed per iteration of the event loop, and its operation runs in a later one. @throws 400, 413, 415 */
export async function bodyOf(req: Request, limit: number): Promise<Body> {
  const type = contentType(req.headers['content-type'], req.method);
  const bytes = await readBytes(req, limit);
  const atTurn = turnForJson(bytes.length);
  if (atTurn !== undefined) await atTurn;
  const text = utf8(bytes);
  if (type === formType) return { value: formBody(parseQueryString(text)) };
  if (text.trim() === '') throw badBody('the body is empty');
  const value = fromJson(text);
  if (atTurn !== undefined) await turnForJson(bytes.length);
  return { value, text };
}

/** @throws 415 */
function contentType(header: string | undefined, method: string): string {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (method === 'PATCH' && !patchTypes.includes(type)) throw wrongPatchType(patchTypes);
  if (method !== 'PATCH' && type !== jsonType && type !== formType)
    throw wrongContentType(`send ${jsonType} or ${formType}`);
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    if (name === 'charset' && value.replaceAll('"', '') !== 'utf-8' && value.replaceAll('"', '') !== 'utf8')
      throw wrongContentType('the charset must be UTF-8');
  }
  return type;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function utf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badBody('the body is not UTF-8');
  }
}

const decompressors = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Reads a body as bytes: decompressed, and nothing beyond the limit.
 * @param maxBytes also applies after decompression
 * @throws 400 for a broken body, 413 for one too large, 415 for an unknown encoding
 */
async function readBytes(req: Request, maxBytes: number): Promise<Buffer> {
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
