/** The reads, each composed of plan, fetch and encode. Answers are JSON as bytes. */
import type { ModelContext } from '../context.ts';
import { deletedDocument, unknownDocument } from '../errors.ts';
import { idInPath } from '../models/fields/document-id.ts';
import { flagOf } from '../query/parameter-tree.ts';
import { isDeleted } from './bytes/layout.ts';
import { cachedAnswer, cachedRows } from './cached.ts';
import type { EncodedAnswer } from './contract.ts';
import { type Counted, countOf } from './counted.ts';
import { answerFor, rowEncoder } from './encode.ts';
import { countRows, fetchOne, sourceOf } from './fetch.ts';
import { withLinkedIds } from './link-filters.ts';
import { fetchPage } from './page.ts';
import { type ListPlanOptions, planCount, planOne } from './plan.ts';
import { cachedPlan } from './plan-cache.ts';
import type { ListPlan, PageLinks, PageRows, RowsPlan } from './plan-types.ts';
import { answerTag, documentTag } from './revision.ts';

/** The members of a list answer beside `data` (docs/endpoints.md, "Answers"). */
interface Envelope extends Counted, PageLinks {
  readonly limit?: number;
  readonly page?: number;
  readonly limit_capped?: true;
}

/** A page of a model's documents, as the JSON of the whole answer. @throws 413 beyond the size limit of an answer */
export async function list(context: ModelContext, options?: ListPlanOptions): Promise<EncodedAnswer> {
  const before = cachedAnswer(context);
  if (before !== undefined) return before;
  const plan = await cachedPlan(context, options);
  const { services, signal } = context;
  return cachedRows(context, plan, async () => {
    const whole = await withLinkedIds(context, plan);
    return services.shares.lists(signal, () => page(context, whole, options));
  });
}

async function page(context: ModelContext, plan: ListPlan, options?: ListPlanOptions): Promise<EncodedAnswer> {
  const source = sourceOf(context);
  const [fetched, counted] = await Promise.all([fetchPage(plan, source), countOf(plan, source)]);
  const { rows } = fetched;
  const encoder = await rowEncoder(plan, rows, source);
  const out = answerFor(rows, source.maxBytes);
  out.ascii('{"data":[');
  const write = encoder(out);
  for (let at = 0; at < rows.length; at++) {
    write(at);
    out.comma();
  }
  out.close(closingBracket);
  const beside = JSON.stringify(envelope(plan, fetched, counted));
  out.json(beside === '{}' ? '}' : `,${beside.slice(1)}`);
  const body = out.written;
  // reads by POST are not conditional
  return { body, headers: options?.bodyFilter === undefined ? { ETag: answerTag(body) } : {} };
}

const closingBracket = 0x5d;

function envelope(plan: ListPlan, fetched: PageRows, counted: Counted): Envelope {
  const { limit, page, capped } = plan.page;
  if (limit === undefined) return counted;
  return {
    limit,
    ...(page === undefined ? {} : { page }),
    ...(capped ? { limit_capped: true } : {}),
    ...plan.pageLinks(fetched),
    ...counted,
  };
}

/**
 * One document, as the JSON of the whole answer.
 * @throws 404 if it does not exist, or is deleted and `showDeleted` is not given
 */
export async function one(context: ModelContext): Promise<EncodedAnswer> {
  const before = cachedAnswer(context);
  if (before !== undefined) return before;
  const plan = planOne(context, idInPath(context));
  return cachedRows(context, plan, () => document(context, plan));
}

async function document(context: ModelContext, plan: RowsPlan): Promise<EncodedAnswer> {
  const { model, params, query } = context;
  const source = sourceOf(context);
  const id = params['id'] ?? '';
  const row = await fetchOne(withDeleted(plan), source);
  if (row === undefined) throw unknownDocument(model.name, id);
  if (isDeleted(row) && !flagOf(query, 'showDeleted')) throw deletedDocument(model.name, id);
  const rows = [row];
  const encoder = await rowEncoder(plan, rows, source);
  const out = answerFor(rows, source.maxBytes);
  out.ascii('{"data":');
  encoder(out)(0);
  out.ascii('}');
  const body = out.written;
  return { body, headers: { ETag: documentTag(row, body, plan.links.length > 0) } };
}

/** Adds `_deleted` to the fields, because the read depends on whether the document is deleted. */
function withDeleted(plan: RowsPlan): RowsPlan {
  const { projection } = plan;
  if (projection === undefined) return plan;
  if (projection['_deleted'] === 0)
    return {
      ...plan,
      projection: Object.fromEntries(Object.entries(projection).filter(([path]) => path !== '_deleted')),
    };
  return Object.values(projection).includes(1) ? { ...plan, projection: { ...projection, _deleted: 1 } } : plan;
}

/** The number of documents that the filters match. */
export async function count(context: ModelContext): Promise<number> {
  const { services, signal, unit } = context;
  const plan = await withLinkedIds(context, planCount(context));
  return services.shares.lists(signal, () => countRows(plan, { signal, session: unit?.session }));
}
