/** Conditional requests: 304 for a reader who has the answer, 412 for a writer whose document has moved on (RFC 9110, 13). */
import type { Response } from 'express';
import type { Context } from '../context.ts';
import type { Filter } from '../language/filter.ts';
import { isAmong, revisionsIn } from '../read/revision.ts';
import type { Answer } from '../operations/answer.ts';
import type { Operation } from '../operations/operation.ts';

/** Whether the reader has this answer already; then it is sent as 304. */
export function isKnown(res: Response, answer: Answer, context: Context): boolean {
  const known = context.headers['if-none-match'];
  const tag = answer.kind === 'bytes' ? answer.headers?.['ETag'] : undefined;
  if (known === undefined || tag === undefined || !isAmong(tag, known)) return false;
  res.setHeader('ETag', tag);
  res.writeHead(304).end();
  return true;
}

/** The revisions that a write of a document may touch; undefined when it may touch any. */
export const revisionIn = ({ input }: Operation, header: string | undefined): Filter | undefined =>
  header === undefined || input?.condition !== 'If-Match' ? undefined : revisionsIn(header);
