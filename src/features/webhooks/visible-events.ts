/** What a change is for the maker of a webhook, by the rights and the filter of this moment. */
import { filterFromJson, type ModelEntry, type Policy, policyFor, type Principal, type Row } from '../../core.ts';
import { firstName } from '../../models/fields/path-type.ts';
import { sizeOfRow } from '../../models/mongoose.ts';
import { matcherOf, type RowMatcher } from '../../read/matches.ts';
import type { WebhookEvent, WebhookRow } from './contract.ts';
import type { DocumentImages } from './images.ts';

export interface VisibleEvent {
  readonly event: WebhookEvent;
  /** The document after the change, where the maker may read it and it is whole. */
  readonly item: Row | undefined;
}

interface Parts {
  readonly model: ModelEntry;
  readonly webhook: Pick<WebhookRow, 'filter'>;
  readonly maker: Principal;
  readonly clock: () => Date;
}

/** @returns undefined where the maker sees nothing of the change */
export function judge({ before, after, isPartial }: DocumentImages, parts: Parts): VisibleEvent | undefined {
  const policy = policyFor(parts.maker, parts.model);
  if (!policy.permits('r')) return undefined;
  const matcher = matcherFor(policy, parts);
  if (matcher === 'denied') return undefined;
  const isSeen = (row: Row | undefined): boolean =>
    row !== undefined && row['_deleted'] !== true && policy.admits('r', row) && matches(matcher, row);
  if (isSeen(after)) return { event: isSeen(before) ? 'put' : 'post', item: isPartial ? undefined : after };
  return isSeen(before) ? { event: 'del', item: undefined } : undefined;
}

/** The names of the values that decide who may read a document, at the top of it. */
export function decidingNames({ model, webhook, maker }: Parts): ReadonlySet<string> {
  const inFilter = webhook.filter == null ? [] : namesIn(JSON.parse(webhook.filter));
  const paths = ['_id', '_deleted', '_owner_id', ...policyFor(maker, model).rowPaths('r'), ...inFilter];
  return new Set(paths.map((path) => firstName(path)));
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name.startsWith('$') ? namesIn(inner) : [name]));
}

/** @returns 'denied' for a filter that the maker may not use: it names what they may not read */
function matcherFor(policy: Policy, { model, webhook, clock }: Parts): RowMatcher | undefined | 'denied' {
  if (webhook.filter == null) return undefined;
  try {
    return matcherOf(filterFromJson(JSON.parse(webhook.filter), policy.view, clock), model);
  } catch {
    return 'denied';
  }
}

/** A filter that costs too much is taken to match. */
const matches = (matcher: RowMatcher | undefined, row: Row): boolean =>
  matcher === undefined || sizeOfRow(row) > matcher.quickBytes || matcher.matches(row);
