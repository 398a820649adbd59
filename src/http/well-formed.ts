/**
 * Refuses requests that Node's parser accepts although HTTP/1.1 forbids them: another version, not exactly one Host, or a body whose
 * length is unsure (RFC 9112, 2.3, 3.2 and 6.1); and those of whose headers it leaves some out.
 */
import type { IncomingMessage } from 'node:http';
import { badRequest, headersTooLarge } from '../errors/errors.ts';

/** The number of headers; of more than 2,000 Node drops the last ones, such as an `If-Match`. */
const maxHeaders = 1000;

/** @throws 400, 431 */
export function checkForm(req: IncomingMessage): void {
  if (req.rawHeaders.length > 2 * maxHeaders) throw headersTooLarge();
  if (req.httpVersionMajor !== 1) throw badRequest(`HTTP/${req.httpVersion} is not supported`);
  // those that do not end with chunked are refused by Node
  const coding = req.headers['transfer-encoding'] ?? '';
  if (/,[ \t]*chunked$/i.test(coding) || (coding !== '' && req.httpVersionMinor === 0))
    throw badRequest('the only supported Transfer-Encoding is chunked, in HTTP/1.1').withHeaders({
      Connection: 'close',
    });
  const given = hosts(req.rawHeaders);
  if (given > 1) throw badRequest('the header Host is given more than once');
  if (given === 0 && req.httpVersionMinor > 0) throw badRequest('the header Host is missing');
}

/** Node keeps only the first of several Host headers, so the raw headers are counted. */
function hosts(rawHeaders: readonly string[]): number {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') found += 1;
  }
  return found;
}

/** Path and query string, also where the request line has a whole URL, whose path may be empty (RFC 9112, 3.2.2). */
export function ownUrl(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}
