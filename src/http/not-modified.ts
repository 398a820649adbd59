/** Conditional reads: 304 if the caller already has the answer (RFC 9110, 13.1.2). */
import type { Response } from 'express';
import type { Answer } from '../operations/answer.ts';
import { isAmong } from '../read/revision.ts';

/** Sends a 304 if the caller already has this answer. @param known the header If-None-Match @returns whether it was sent */
export function sendNotModified(res: Response, answer: Answer, known: string | undefined): boolean {
  const tag = answer.kind === 'bytes' ? answer.headers?.['ETag'] : undefined;
  if (known === undefined || tag === undefined || !isAmong(tag, known)) return false;
  res.setHeader('ETag', tag);
  res.writeHead(304).end();
  return true;
}
