/** `_silence`: a write of which subscribers are not notified, and which no post-hook sees. */
import type { Request } from '../context.ts';
import { flagOf } from '../query/parameter-tree.ts';

/** Whether a request asks for it, in its query or its body. @throws 400 for an invalid flag */
export function isSilent({ query, body }: Pick<Request, 'query' | 'body'>): boolean {
  const inBody = typeof body === 'object' && body !== null && '_silence' in body ? body._silence : undefined;
  return flagOf(query, '_silence') || inBody === true || inBody === 1 || inBody === 'true' || inBody === '1';
}
