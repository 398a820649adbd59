/** Answers that do not end by themselves, as the body of a response. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { StreamAnswer } from '../operations/answer.ts';

/** Writes a stream until the caller disconnects or it ends. @throws what refuses the request, before the response begins */
export async function sendStream(res: Response, { headers, begin }: StreamAnswer): Promise<void> {
  const cut = new AbortController();
  const body = begin(cut);
  // the stream begins before the response, so that a refusal still gets its status
  await body.next();
  res.writeHead(200, headers);
  if (res.req.method !== 'HEAD') return pipeline(Readable.from(body), res, { signal: cut.signal });
  res.end();
  await body.return(undefined);
}
