/** A client's copy of a collection, kept by `GET /changes/{model}`. */
import type { Answer } from './client.ts';

type Row = Readonly<Record<string, unknown>>;
type Get = (path: string) => Promise<Answer>;

export interface Copy {
  /** By the texts of their ids. */
  readonly rows: Map<string, Row>;
  position: string;
  /** All that the changes were. */
  readonly events: (readonly [event: string, id: unknown])[];
}

/** An answer of another status than 200. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`${answer.status} ${answer.text}`);
  }
}

const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

async function accepted(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  if (given.status !== 200) throw new Refused(given);
  return given;
}

/** Reads the first pages. @param between runs after each page but the last @throws Refused */
export async function beginCopy(get: Get, path: string, between?: () => Promise<void>): Promise<Copy> {
  const rows = new Map<string, Row>();
  for (let at = path; ;) {
    const page = await accepted(get(at));
    for (const row of page.rows) rows.set(String(row['_id']), row);
    if (page.body['position'] !== undefined) return { rows, position: String(page.body['position']), events: [] };
    at = withParameter(path, 'after', String(page.body['next_cursor']));
    await between?.();
  }
}

interface Changed {
  readonly event: string;
  readonly id: unknown;
  readonly item?: Row;
}

/** Reads all changes up to now. @throws Refused */
export async function advanceCopy(copy: Copy, get: Get, path: string): Promise<void> {
  for (let more = true; more;) {
    const { body } = await accepted(get(withParameter(path, 'since', copy.position)));
    for (const { event, id, item } of body['data'] as readonly Changed[]) {
      copy.events.push([event, id]);
      if (item === undefined) copy.rows.delete(String(id));
      else copy.rows.set(String(id), item);
    }
    [copy.position, more] = [String(body['position']), body['more'] === true];
  }
}

/** Rows in the order of their ids. */
export const byId = (rows: Iterable<Row>): readonly Row[] =>
  [...rows].sort((one, other) => (String(one['_id']) < String(other['_id']) ? -1 : 1));
