/** Reads the body as plain data: JSON, a form or a patch in UTF-8, within the size limit and at most 100 levels deep. */
import type { Request } from 'express';
import { turnForJson } from '../async/yield.ts';
import { badBody, wrongContentType, wrongPatchType } from '../errors.ts';
import { Failure } from '../failure.ts';
import { whereNotJson } from '../json-fault.ts';
import { parseExactly } from '../models/fields/values/exact-json.ts';
import { patchTypes } from '../write/patch/media-types.ts';
import { checkJson } from './json-limits.ts';
import { formBody, parseQueryString } from './query-string.ts';
import { readBytes } from './read-bytes.ts';

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

/** Reads a body from JSON, with whole numbers of 64 bits as they are. @throws 400 */
export function fromJson(text: string): unknown {
  try {
    return parseExactly(text, parseChecked);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badBody(`the body is not well-formed JSON${whereNotJson(text)}`);
  }
}

/** Checks the depth before anything else walks the value. */
function parseChecked(text: string): unknown {
  const value: unknown = JSON.parse(text);
  checkJson(value, 'JSON');
  return value;
}
