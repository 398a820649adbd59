/** Conditions on the fields of linked documents: `director.name`. In a filter they stand in the place of the ids, which are read first. */
import type { Link, ModelEntry } from '../models/entry.ts';
import { isPlainObject } from '../models/plain-object.ts';
import type { SchemaView } from './schema-view.ts';

type Filter = Record<string, unknown>;

/** The read of the linked documents that a filter matches. `read/` creates it, and reads by it. */
export interface LinkedRead {
  readonly model: ModelEntry;
  readonly filter: Filter;
}

/** A link that a name in a filter leads through. */
export interface LinkStep extends Pick<Link, 'asText'> {
  /** The path of the ids in the filtered model. */
  readonly path: string;
  /** The name under which answers show the linked document. */
  readonly as: string;
  /** The rest of the name, in the linked model. */
  readonly rest: string;
  /** Whether a document has at most one id at the path. */
  readonly isSingle: boolean;
  /** The linked model as the caller sees it, and the links of it. */
  readonly view: SchemaView;
  readonly resolveLink: LinkResolver;
  /** Plans the read of the linked documents that the caller may see and all of the filters match. */
  readonly plan: (filters: readonly Filter[]) => LinkedRead;
}

/**
 * Finds the link that a name leads through; undefined for any other name.
 * @throws 400 beyond the maximum of links, 403 for a linked model that the caller may not read
 */
export type LinkResolver = (name: string) => LinkStep | undefined;

/** Stands for the ids of linked documents. It must be replaced by `$in` before the database gets the filter. */
export class LinkedIds {
  #read: LinkedRead | undefined;

  constructor(
    readonly step: LinkStep,
    readonly conditions: readonly Filter[],
  ) {}

  get read(): LinkedRead {
    this.#read ??= this.step.plan(joinLinked(this.conditions));
    return this.#read;
  }

  /** What the driver encodes: no database accepts it as a condition, and equal reads have equal bytes. */
  toBSON(): object {
    const { model, filter } = this.read;
    return { $linked: model.name, filter };
  }
}

/** The condition that a document links to one that the filters match. */
export const linkedCondition = (step: LinkStep, filters: readonly Filter[]): Filter => ({
  [step.path]: new LinkedIds(step, filters),
});

/** Filters that are joined by AND, with one condition for all fields of a document that is linked once. */
export function joinLinked(filters: readonly Filter[]): readonly Filter[] {
  const conditions = new Map<string, LinkedIds>();
  const others: Filter[] = [];
  for (const filter of filters) {
    const [[path, value] = ['', undefined]] = Object.entries(filter);
    if (!(value instanceof LinkedIds && value.step.isSingle)) {
      others.push(filter);
      continue;
    }
    const before = conditions.get(path)?.conditions ?? [];
    conditions.set(path, new LinkedIds(value.step, [...before, ...value.conditions]));
  }
  return [...others, ...[...conditions].map(([path, value]) => ({ [path]: value }))];
}

/** All conditions on linked documents in a filter, without those inside of them. */
export function linkConditions(part: unknown): readonly LinkedIds[] {
  if (part instanceof LinkedIds) return [part];
  if (Array.isArray(part)) return part.flatMap(linkConditions);
  return isPlainObject(part) ? Object.values(part).flatMap(linkConditions) : [];
}

/** A filter with the ids in the place of conditions on linked documents. */
export const withIds = (filter: Filter, ids: ReadonlyMap<LinkedIds, readonly unknown[]>): Filter =>
  replaced(filter, ids) as Filter;

function replaced(part: unknown, ids: ReadonlyMap<LinkedIds, readonly unknown[]>): unknown {
  if (part instanceof LinkedIds) return { $in: ids.get(part) ?? [] };
  if (Array.isArray(part)) return part.map((member) => replaced(member, ids));
  if (!isPlainObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replaced(value, ids)]));
}
