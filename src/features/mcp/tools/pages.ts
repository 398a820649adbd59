/** Results of a size that an agent can read: few rows, few bytes, and a cursor for the rest. */
import { badParameter, Failure } from '../../../core.ts';

/** Rows of a result by default, and at most. */
const standardRows = 20;
const maxRows = 100;
/** Bytes of a result as JSON in UTF-8. */
const maxBytes = 65_536;
/** Bytes that remain for what a shorter page has besides its rows. */
const reserve = 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const lessFields = 'choose less with fields';

const tooLarge = (what: string, cure: string): Failure =>
  new Failure(413, 'Answer too large', `${what} is larger than ${maxBytes} bytes: ${cure}`);

/** The number of rows of a result. More than the maximum are capped, as lists of the API are. */
export const rowsFor = (limit: unknown): number => Math.min(typeof limit === 'number' ? limit : standardRows, maxRows);

/** A result of any kind. @throws 413 */
export function checkSize<T extends object>(result: T): T {
  if (bytesOf(result) > maxBytes) throw tooLarge('the result', lessFields);
  return result;
}

interface Page {
  readonly data: readonly unknown[];
  readonly limit?: number;
  readonly next_cursor?: string;
}

/**
 * A page of at most the maximum bytes: one that is larger is read again with as many rows as fit, so that its cursor continues after
 * them.
 * @param read reads a page with a number of rows @param cure what the failure advises @throws 413 when the first row is too large, and what `read` throws
 */
export async function pageWithin(
  limit: number,
  read: (rows: number) => Promise<Page>,
  cure = lessFields,
): Promise<Page> {
  for (let rows = limit; ;) {
    const { data, next_cursor } = await read(rows);
    const fitting = fittingRows(data);
    if (fitting >= data.length) return { data, limit: rows, ...(next_cursor === undefined ? {} : { next_cursor }) };
    if (fitting === 0) throw tooLarge('a row', cure);
    rows = fitting;
  }
}

/** The number of rows from the first one on that a result has room for. */
function fittingRows(rows: readonly unknown[]): number {
  let left = maxBytes - reserve;
  const end = rows.findIndex((row) => (left -= bytesOf(row) + 1) < 0);
  return end === -1 ? rows.length : end;
}

/** Rows of a result that is no list of documents, so that its cursor is the number of rows before. */
export async function countedPage(
  { limit, after }: { readonly limit?: unknown; readonly after?: unknown },
  read: (skip: number, rows: number) => Promise<readonly unknown[]>,
): Promise<Page> {
  const skip = skipOf(after);
  return pageWithin(rowsFor(limit), async (rows) => {
    const found = await read(skip, rows + 1);
    return { data: found.slice(0, rows), ...(found.length > rows ? { next_cursor: `${skip + rows}` } : {}) };
  });
}

function skipOf(after: unknown): number {
  if (after === undefined) return 0;
  if (typeof after === 'string' && /^[1-9]\d{0,8}$/.test(after)) return Number(after);
  throw badParameter('after', 'must be next_cursor of another result of this tool, for the same arguments');
}
