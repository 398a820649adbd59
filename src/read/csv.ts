/** `/csv`: a list as comma-separated text. What is small is held and sent whole, what is large flows. The door to json2csv. */
import { Parser } from '@json2csv/plainjs';
import type { ModelContext } from '../context.ts';
import { answerTooLarge } from '../errors.ts';
import type { Row } from '../registry/mongoose.ts';
import { columnsOf, objectCell, textCell, valueAt } from './csv-columns.ts';
import { rowsOf } from './csv-rows.ts';
import { planList } from './plan.ts';
import type { ListPlan } from './plan-types.ts';

/** Bytes that are held before anything is sent. */
const heldAtMost = 1024 * 1024;

/** The text, whole or in pieces. @throws 413 when it is larger than an answer may be */
export async function csv(context: ModelContext): Promise<string | AsyncGenerator<string>> {
  const plan = await planList(context, { populate: false });
  const { services, signal } = context;
  return services.shares.lists(signal, () => begun(context, plan));
}

/** Read to where it is known that the rest may flow. */
async function begun(context: ModelContext, plan: ListPlan): Promise<string | AsyncGenerator<string>> {
  const most = context.services.settings.query_limits.max_response_size;
  const pieces = piecesOf(context, plan);
  const held: string[] = [];
  let bytes = 0;
  let rows = 0;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    held.push(next.value.text);
    rows += next.value.rows;
    bytes += Buffer.byteLength(next.value.text);
    if (bytes > most) return tooLarge(pieces, most);
    if (bytes > heldAtMost) {
      if (likely(bytes, rows, plan) <= most / 2) return flowing(held, pieces, bytes, most);
      return (await fits(pieces, bytes, most)) ? flowing([], piecesOf(context, plan), 0, most) : tooLarge(pieces, most);
    }
  }
  return held.join('');
}

/** The size of the whole, if the rows to come are like those that came. */
const likely = (bytes: number, rows: number, { page }: ListPlan): number =>
  page.limit === undefined ? Infinity : (bytes / Math.max(rows, 1)) * page.limit;

async function tooLarge(pieces: Pieces, most: number): Promise<never> {
  await pieces.return(undefined);
  throw answerTooLarge(most);
}

/** Reads to the end without keeping anything, so that an answer that is too large is refused before it has begun. */
async function fits(pieces: Pieces, before: number, most: number): Promise<boolean> {
  let bytes = before;
  for await (const { text } of pieces) {
    bytes += Buffer.byteLength(text);
    if (bytes > most) return false;
  }
  return true;
}

interface Piece {
  readonly text: string;
  readonly rows: number;
}
type Pieces = AsyncGenerator<Piece, void, void>;

/** What is held, and then the rest. It has begun, so that whoever returns it, even unread, ends the reading. */
async function flowing(
  held: readonly string[],
  pieces: Pieces,
  before: number,
  most: number,
): Promise<AsyncGenerator<string>> {
  const whole = textOf(held, pieces, before, most);
  await whole.next();
  return whole;
}

/** Its first piece is empty. */
async function* textOf(held: readonly string[], pieces: Pieces, before: number, most: number): AsyncGenerator<string> {
  let bytes = before;
  try {
    yield '';
    yield* held;
    for await (const { text } of pieces) {
      bytes += Buffer.byteLength(text);
      if (bytes > most) throw answerTooLarge(most);
      yield text;
    }
  } finally {
    await pieces.return();
  }
}

/** The header, then rows by the hundred. */
async function* piecesOf(context: ModelContext, plan: ListPlan): Pieces {
  const columns = columnsOf(plan.model, plan.fields, plan.scored);
  yield { text: `${columns.map(textCell).join(',')}\r\n`, rows: 0 };
  const parser = new Parser<Row, Row>({
    fields: columns.map((label) => {
      const parts = label.split('.');
      return { label, value: (row: Row) => valueAt(row, parts) };
    }),
    formatters: { string: textCell, object: objectCell },
    header: false,
    eol: '\r\n',
    includeEmptyRows: true,
  });
  for await (const rows of rowsOf(context, plan)) yield { text: `${parser.parse([...rows])}\r\n`, rows: rows.length };
}
