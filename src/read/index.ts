/** The reads, each composed of plan, fetch and encode. Answers are JSON as bytes. */
import type { Actor } from '../context.ts';
import { deletedDocument, unknownDocument } from '../errors/errors.ts';
import type { ServerJson } from '../policy/shaped.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import { isDeleted } from './bytes/layout.ts';
import type { EncodedLinks } from './bytes/placed.ts';
import { cachedRows } from './cached.ts';
import type { EncodedAnswer } from './contract.ts';
import { countOf, type CountResult } from './counted.ts';
import { encodedById, rowEncoder } from './encode.ts';
import { countRows, fetchLinked, fetchOne, fetchPage, membersForLists, type Source, sourceOf } from './fetch.ts';
import type { DocumentIntent, ListIntent, RowsIntent } from './intents.ts';
import { checkedSize } from './limits.ts';
import { withLinkedIds } from './link-filters.ts';
import { planList, planRows, planShown } from './plan.ts';
import type { ListPlan, PageLinks, PageRows, ViewPlan } from './plan-types.ts';
import { answerTag, documentTag } from './revision.ts';

/** The members of a list answer beside `data` (docs/endpoints.md, "Answers"). */
interface Envelope extends CountResult, PageLinks {
  readonly limit?: number;
  readonly page?: number;
  readonly limit_capped?: true;
}

/**
 * A page of a model's documents, as the JSON of the whole answer.
 * @param position from before this call, which the answer has too: it has all changes up to it @throws 413 beyond the size limit of an answer
 */
export async function list(actor: Actor, intent: ListIntent, position?: string): Promise<EncodedAnswer> {
  const {
    reads: { cache },
    shares,
  } = actor.services;
  const plan = planList(actor, intent);
  const read = async (isCurrent: boolean): Promise<EncodedAnswer> => {
    const from = membersForLists(actor, isCurrent);
    const size = plan.needsSize ? await checkedSize(actor, intent) : 0;
    const whole = plan.conditions.length === 0 ? plan : await withLinkedIds(actor, plan, from);
    return shares.lists(actor, () => page(whole, size, sourceOf(actor, from), position));
  };
  // a cached answer may be of an earlier position
  if (position !== undefined) return read(true);
  return cache === undefined ? read(false) : cachedRows(actor, plan, read);
}

/** Makes the members of an answer beside its documents. */
type Beside = (page: PageLinks & Pick<Envelope, 'limit'>) => Readonly<Record<string, ServerJson>>;

/** A page whose other members the caller makes. It is not counted, and not cached. @throws 413 beyond the size limit of an answer */
export async function pageWith(actor: Actor, intent: ListIntent, beside: Beside): Promise<EncodedAnswer> {
  const plan = planList(actor, intent);
  await checkedSize(actor, intent);
  const whole = await withLinkedIds(actor, plan);
  return actor.services.shares.lists(actor, async () => {
    const source = sourceOf(actor);
    const fetched = await fetchPage(whole, source);
    const { limit } = whole.page;
    const links = whole.pageLinks(fetched);
    return encoded(whole, fetched, source, beside({ ...(limit === undefined ? {} : { limit }), ...links }));
  });
}

async function page(plan: ListPlan, size: number, source: Source, position?: string): Promise<EncodedAnswer> {
  const counting = plan.page.count === undefined ? undefined : countOf(plan, size, source);
  const [fetched, counted] =
    counting === undefined
      ? [await fetchPage(plan, source), {}]
      : await Promise.all([fetchPage(plan, source), counting]);
  const added = position === undefined ? {} : { position };
  return encoded(plan, fetched, source, { ...envelope(plan, fetched, counted), ...added });
}

async function encoded(plan: ListPlan, { rows }: PageRows, source: Source, beside: object): Promise<EncodedAnswer> {
  const encoder = await rowEncoder(plan, rows, source);
  const out = new JsonBytes(encoder.bytes, source.maxBytes);
  out.ascii('{"data":[');
  const write = encoder.into(out);
  for (let at = 0; at < rows.length; at++) {
    write(at);
    out.comma();
  }
  out.close(closingBracket);
  const text = JSON.stringify(beside);
  out.json(text === '{}' ? '}' : `,${text.slice(1)}`);
  const body = out.written;
  return { body, headers: plan.isTagged ? { ETag: answerTag(body) } : {} };
}

const closingBracket = 0x5d;

function envelope(plan: ListPlan, fetched: PageRows, counted: CountResult): Envelope {
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
 * @throws 404 if it does not exist, or is deleted and deleted documents are not wanted
 */
export async function one(actor: Actor, intent: DocumentIntent): Promise<EncodedAnswer> {
  const plan = planShown(actor, intent.shown);
  const read = (): Promise<EncodedAnswer> => document(actor, plan, intent.id);
  return actor.services.reads.cache === undefined ? read() : cachedRows(actor, plan, read, intent.id);
}

async function document(actor: Actor, plan: ViewPlan, id: unknown): Promise<EncodedAnswer> {
  const { model, showDeleted, links } = plan;
  const source = sourceOf(actor);
  const row = await fetchOne(plan, id, source);
  if (row === undefined) throw unknownDocument(model.name, String(id));
  if (isDeleted(row) && !showDeleted) throw deletedDocument(model.name, String(id));
  const rows = [row];
  const encoder = await rowEncoder(plan, rows, source);
  const out = new JsonBytes(encoder.bytes, source.maxBytes);
  out.ascii('{"data":');
  encoder.into(out)(0);
  out.ascii('}');
  const body = out.written;
  const isDerived = links.length > 0 || model.fieldPerms.size > 0 || model.computed;
  return { body, headers: { ETag: documentTag(row, body, { isDerived, isWhole: plan.projection === undefined }) } };
}

/** The number of rows. */
export async function count(actor: Actor, intent: RowsIntent): Promise<number> {
  const { services, signal, unit } = actor;
  const from = membersForLists(actor);
  const plan = await withLinkedIds(actor, planRows(actor, intent), from);
  return services.shares.lists({ signal }, () =>
    countRows(plan, { signal, session: unit?.session, from, watch: services.reads.watch }),
  );
}

/** The documents of a list that have these ids, each as JSON, in no order. @param ids their texts @throws 413 */
export async function documentsById(actor: Actor, intent: ListIntent, ids: readonly string[]): Promise<EncodedLinks> {
  const plan = await withLinkedIds(actor, planList(actor, intent));
  return actor.services.shares.lists(actor, async () => {
    const source = sourceOf(actor);
    return encodedById(plan, ids.length === 0 ? [] : await fetchLinked(plan, ids, source), source);
  });
}
