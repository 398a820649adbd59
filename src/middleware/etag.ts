/** Conditional requests on single documents: 304 for a reader who has it, 412 for a writer whose document has moved on (RFC 9110, 13). */
import type { Response } from 'express';
import type { Context, ModelContext } from '../context.ts';
import { Failure, movedOn } from '../errors.ts';
import { allOf } from '../language/merge.ts';
import { exists } from '../read/index.ts';
import { isAmong, revisionsIn } from '../read/revision.ts';
import type { Answer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';

/** Whether the reader has this answer already; then it is sent as 304. */
export function isKnown(res: Response, answer: Answer, context: Context): boolean {
  const known = context.headers['if-none-match'];
  const tag = answer.kind === 'bytes' ? answer.headers?.['ETag'] : undefined;
  if (known === undefined || tag === undefined || !isAmong(tag, known)) return false;
  res.setHeader('ETag', tag);
  res.writeHead(304).end();
  return true;
}

/** Runs a row; a write with If-Match only touches the revisions that it names. @throws 412 when the document has another */
export async function withRevision(
  { method }: Endpoint,
  context: Context,
  run: () => Promise<Answer> | Answer,
): Promise<Answer> {
  const wanted = context.headers['if-match'];
  if (wanted === undefined || method === 'GET' || !isOfDocument(context)) return run();
  const before = context.filter;
  const revisions = revisionsIn(wanted);
  context.filter = revisions === undefined ? before : allOf([before, revisions]);
  try {
    return await run();
  } catch (error) {
    context.filter = before;
    if (error instanceof Failure && error.status === 404 && (await exists(context))) throw movedOn();
    throw error;
  }
}

const isOfDocument = (context: Context): context is ModelContext =>
  'model' in context && context.params['id'] !== undefined && context.params['method'] === undefined;
