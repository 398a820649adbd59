/** `/csv`: a list as comma-separated text. A page is sent whole, an export of all rows is streamed. The adapter of json2csv. */
import { type Actor, badParameter, type Policy } from '../../core.ts';
import { answerTooLarge } from '../../errors/errors.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { isNumberOfBson, jsonValue } from '../../models/fields/values/bson-types.ts';
import type { Fields } from '../../query/fields.ts';
import { scorePath } from '../../query/search.ts';
import type { Cells } from '../../read/bytes/cells.ts';
import { fetchPage, membersForLists, sourceOf } from '../../read/fetch.ts';
import type { ListIntent } from '../../read/intents.ts';
import { checkedSize } from '../../read/limits.ts';
import { withLinkedIds } from '../../read/link-filters.ts';
import { planList } from '../../read/plan.ts';
import type { ListPlan } from '../../read/plan-types.ts';
import { batchesOf, batchSize, cellsOf } from './rows.ts';

/** Bytes of an export that are buffered before the answer begins; a smaller export is sent with its length. */
const maxBuffered = 256 * 1024;

export interface Csv {
  /** The text, whole or in chunks. */
  readonly body: string | AsyncGenerator<string>;
  /** The address of the next page, if any. */
  readonly next: string | undefined;
}

/** A page, or all rows. @throws 413 when a page exceeds the size limit of an answer */
export async function csv(actor: Actor, intent: ListIntent): Promise<Csv> {
  const planned = planList(actor, intent);
  await checkedSize(actor, intent);
  const plan = await withLinkedIds(actor, planned, membersForLists(actor));
  if (plan.fields?.mode === 'stored') throw badParameter('fields', 'names the columns of a CSV: * names none');
  const { limit } = plan.page;
  return limit === undefined ? { body: await exportOf(actor, plan), next: undefined } : pageOf(actor, plan);
}

function pageOf(actor: Actor, plan: ListPlan): Promise<Csv> {
  const { services, signal } = actor;
  return services.shares.lists({ signal }, async () => {
    const source = sourceOf(actor, membersForLists(actor));
    const fetched = await fetchPage(plan, source);
    const { rows } = fetched;
    const { columns, header, linesOf } = await writerOf(plan);
    const read = cellsOf(plan, columns, source);
    const pieces = [header];
    let bytes = Buffer.byteLength(header);
    for (let at = 0; at < rows.length; at += batchSize) {
      const lines = linesOf(await read(rows.slice(at, at + batchSize)));
      pieces.push(lines);
      bytes += Buffer.byteLength(lines);
      if (bytes > source.maxBytes) throw answerTooLarge(source.maxBytes);
    }
    return { body: pieces.join(''), next: plan.pageLinks(fetched).next };
  });
}

type Pieces = AsyncGenerator<string, void, void>;

/** Reads the beginning, so that most errors occur before the answer begins. Each batch waits for a permit of the database. */
async function exportOf(actor: Actor, plan: ListPlan): Promise<string | Pieces> {
  const pieces = withPermits(actor, piecesOf(actor, plan));
  let buffered = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    buffered += next.value;
    if (buffered.length > maxBuffered) return resumed(buffered, pieces);
  }
  return buffered;
}

async function* withPermits({ services, signal }: Actor, pieces: Pieces): Pieces {
  const next = (): Promise<IteratorResult<string, void>> => services.shares.lists({ signal }, () => pieces.next());
  try {
    for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
  } finally {
    await pieces.return();
  }
}

/**
 * Yields the buffered chunks, then the rest. The generator must have been started, because returning one that has not started would leave
 * the cursor open.
 */
async function resumed(buffered: string, pieces: Pieces): Promise<Pieces> {
  const beginning = [buffered];
  const all = (async function* (): Pieces {
    try {
      yield '';
      // released before the rest is sent
      yield beginning.pop() ?? '';
      yield* pieces;
    } finally {
      await pieces.return();
    }
  })();
  await all.next();
  return all;
}

async function* piecesOf(actor: Actor, plan: ListPlan): Pieces {
  const { columns, header, linesOf } = await writerOf(plan);
  yield header;
  for await (const rows of batchesOf(actor, plan, columns)) yield linesOf(rows);
}

async function writerOf(plan: ListPlan) {
  // most servers export nothing before they have answered other requests
  const { Parser } = await import('@json2csv/plainjs');
  const columns = columnsOf(plan.policy, plan.fields, plan.scored);
  const parser = new Parser<Cells, Cells>({
    fields: columns.map((label, index) => ({ label, value: (cells: Cells) => cells[index] })),
    formatters: { string: textCell, object: objectCell },
    header: false,
    eol: '\r\n',
    includeEmptyRows: true,
  });
  return {
    columns,
    header: `${columns.map(textCell).join(',')}\r\n`,
    linesOf: (rows: readonly Cells[]) => `${parser.parse([...rows])}\r\n`,
  };
}

/** The columns: the requested fields in that order, otherwise the schema's; nested documents have a column for each field. */
function columnsOf({ model, shownView: view }: Policy, fields: Fields | undefined, scored: boolean): string[] {
  const { schema } = view;
  const stored = leavesOf(schema).filter((path) => path !== '_id');
  const virtuals = model.computed ? withKinds(schema).flatMap((one) => one.shownVirtuals) : [];
  const known = ['_id', ...stored, ...virtuals].filter(view.shows);
  const below = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);
  const chosen =
    fields === undefined
      ? known
      : fields.mode === 'without'
        ? known.filter((path) => !fields.paths.some((hidden) => below(path, hidden)))
        : fields.paths.flatMap((requested) => {
            const found = known.filter((path) => below(path, requested));
            return found.length === 0 ? [requested] : found;
          });
  const isLeftOut = fields?.mode === 'without' && fields.paths.includes(scorePath);
  const score = scored && !isLeftOut ? [scorePath] : [];
  return [...new Set([...(chosen.includes('_id') ? [] : ['_id']), ...chosen, ...score])];
}

/** The paths of plain values, lists and free-form objects, those of all kinds included; the model's own come first. */
function leavesOf(schema: ModelSchema, prefix = ''): string[] {
  const all = withKinds(schema).flatMap((one) => ownLeavesOf(one, prefix));
  return [...new Set(all)];
}

const withKinds = (schema: ModelSchema): readonly ModelSchema[] => [schema, ...schema.kinds.map((kind) => kind.schema)];

const ownLeavesOf = ({ declared }: ModelSchema, prefix: string): string[] =>
  [...declared.values()].flatMap(({ path, type, schema }) =>
    type?.shape === 'document' && schema !== undefined ? leavesOf(schema, `${prefix}${path}.`) : [prefix + path],
  );

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula, and quotes by RFC 4180. */
export function textCell(text: string): string {
  // most cells need neither, and one search finds them
  if (!/[",\r\n]|^[\s=+\-@]/.test(text)) return text;
  const harmless = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Numbers stay numbers, dates and ids are as in JSON, lists and free-form objects are JSON. @param value shaped by `cellsOf` */
export function objectCell(value: object | null): string {
  if (value === null) return '';
  const plain = jsonValue(value);
  if (isNumberOfBson(value)) return String(plain);
  return textCell(typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : String(plain ?? ''));
}
