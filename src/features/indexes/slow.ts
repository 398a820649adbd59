/** Slow reads and writes by their shapes: since the start of each process, and of all processes of the server together. */
import { type Core, type Filter, type ModelEntry, monotonicClock, type Services } from '../../core.ts';
import type { ReadWatch, SeenRead, SlowRead } from '../../read/contract.ts';
import { type ExplainResult, planFrom, type ReadPlan, searchesOf } from '../../read/plan-stages.ts';
import { byShape } from '../../read/slow-reads.ts';
import { fixedPathCount, type IndexKey, missingIndex } from './advice.ts';
import { adviceStore } from './kept.ts';
import { isById, type Shape, shapeOf } from './shape.ts';
import { storedIndexes } from './stored.ts';

/** @returns undefined where the database explains nothing */
async function planOf(
  { connection, settings }: Pick<Services, 'connection' | 'settings'>,
  seen: Omit<SeenRead, 'returned'>,
): Promise<ReadPlan | undefined> {
  const command = {
    explain: commandOf(seen),
    verbosity: 'queryPlanner',
    maxTimeMS: settings.query_limits.max_time_ms,
  };
  const answer = (await connection.db?.command(command).catch(() => undefined)) as ExplainResult | undefined;
  const winning = answer && searchesOf(answer)[0]?.queryPlanner?.winningPlan;
  return winning === undefined ? undefined : planFrom(winning);
}

/** The documents of a write are found as those of a read with its filter. */
function commandOf({ model, filter, sort, limit, pipeline }: Omit<SeenRead, 'returned'>): object {
  if (pipeline !== undefined) return { aggregate: model.collection, pipeline: pipeline.stages, cursor: {} };
  return {
    find: model.collection,
    filter,
    ...(Object.keys(sort).length === 0 ? {} : { sort }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Maximum shapes of a process; beyond it the one that was seen least recently is dropped. */
const maxShapes = 200;
/** How long a plan is believed, and a shape is not logged again. */
const minute = 60_000;
/** The plan of a write that makes documents: it searches for none. */
const insertion = 'INSERT';
/** A read that examines so many documents for each that it returns is wasteful. */
const wasteful = 100;
/** Maximum plans that are asked for at a time; the reads beyond are judged when they come again. */
const maxAtOnce = 4;

/**
 * Maximum shapes of quick reads that are made in a second: making one costs as much as a small read. The reads beyond are judged when they come
 * again.
 */
const maxQuickShapes = 100;

/** The shape of a read, with its entry. */
interface KnownShape {
  readonly read: SeenRead;
  readonly shape: Shape;
  readonly key: string;
  readonly entry: Entry;
}

interface JudgedRead extends KnownShape {
  readonly ms: number;
  readonly isSlow: boolean;
}

/** What is counted of a slow read is added to it, since every read of a wasteful shape is counted. */
type CountedRead = { -readonly [Name in keyof SlowRead]: SlowRead[Name] };

interface Entry {
  slow: CountedRead | undefined;
  judgedAt: number;
  loggedAt: number;
  seenAt: number;
}

export class SlowReads implements ReadWatch {
  readonly #entries = new Map<string, Entry>();
  /** The sizes of collections, as last known. */
  readonly #sizes = new Map<ModelEntry, { readonly size: number; readonly at: number }>();
  /** Shapes by filters, since a plan that is kept reads by the same one again. */
  readonly #shapes = new WeakMap<Filter, KnownShape>();
  readonly #elapsed: () => number;
  #running = 0;
  /** The shapes of quick reads that have been made in the current second. */
  #quickShapes = { second: 0, made: 0 };

  constructor(private readonly core: Pick<Core, 'services'>) {
    this.#elapsed = core.services.of(monotonicClock);
    core.services.shared.onMessage('slow reads', () => this.own());
  }

  seen(read: SeenRead, ms: number): void {
    const slow = this.core.services.settings.slow_ms;
    if (slow === 0) return;
    const { model, returned, limit, write } = read;
    if (ms < slow && isInsert(read)) return;
    // a write that has found all that it wants ends early: its plan does not show what it has examined
    if (ms < slow && write !== undefined && limit !== undefined && returned >= limit) return;
    const isSlow = ms >= slow;
    if (!isSlow && read.isCut === true) return;
    const known = this.#sizes.get(model);
    const isFresh = known !== undefined && this.#elapsed() - known.at < 10_000;
    if (!isSlow && isFresh && known.size <= wasteful * Math.max(returned, 1)) return;
    const found = this.#shapeOf(read, isSlow);
    if (found === undefined) return;
    const { shape, key, entry } = found;
    const isHarmless = entry.slow === undefined && this.#elapsed() - entry.judgedAt < minute;
    if (isSlow || !isHarmless) this.#judge({ read, ms, shape, key, entry, isSlow });
  }

  /** Has the plans of a model read again. */
  indexesChanged({ name }: ModelEntry): void {
    for (const [key, entry] of this.#entries) if (key.startsWith(`${name} `)) entry.judgedAt = -minute;
  }

  /** Those of this process. */
  own(): readonly SlowRead[] {
    return [...this.#entries.values()].flatMap(({ slow }) =>
      slow === undefined ? [] : { ...slow, total_ms: rounded(slow.total_ms) },
    );
  }

  /** Those of all processes of this server, the ones that took most time first. */
  async all(): Promise<readonly SlowRead[]> {
    const others = await this.core.services.shared.broadcast('slow reads', undefined);
    return byShape([...this.own(), ...others.flat()]);
  }

  #judge(judged: JudgedRead): void {
    const { read, ms, key, isSlow } = judged;
    const { log } = this.core.services;
    const entry = this.#entry(key, judged.entry);
    if (entry.seenAt - entry.judgedAt < minute) {
      if (entry.slow !== undefined) this.#count(entry, entry.slow, { read, ms });
      if (entry.slow !== undefined || !isSlow) return;
    }
    if (this.#running >= maxAtOnce) return;
    this.#running += 1;
    void this.#explain(entry, judged)
      .catch((error: unknown) => log.debug('a plan could not be read', { reason: String(error) }))
      .finally(() => (this.#running -= 1));
  }

  /** @returns undefined for a quick read whose shape is not known: one by its id, or where too many such shapes have been made in this second */
  #shapeOf(read: SeenRead, isSlow: boolean): KnownShape | undefined {
    const { model, filter, sort, pipeline, write } = read;
    const known = this.#shapes.get(filter);
    if (known?.read.sort === sort && known.read.pipeline === pipeline && known.read.write === write) return known;
    // the index of `_id` serves it
    if (!isSlow && (isById(filter) || !this.#mayMakeShape())) return undefined;
    const shape = shapeOf(model.schema, filter, sort, read);
    const key = `${model.name} ${shape.text}`;
    const made = { read, shape, key, entry: this.#entry(key) };
    this.#shapes.set(filter, made);
    return made;
  }

  #mayMakeShape(): boolean {
    const second = Math.floor(this.#elapsed() / 1000);
    if (this.#quickShapes.second !== second) this.#quickShapes = { second, made: 0 };
    return (this.#quickShapes.made += 1) <= maxQuickShapes;
  }

  async #explain(entry: Entry, { read, ms, shape, isSlow }: JudgedRead): Promise<void> {
    const { services } = this.core;
    const { model } = read;
    if (isInsert(read)) {
      entry.judgedAt = this.#elapsed();
      this.#found(entry, { read, ms, shape, found: undefined, examined: undefined, advice: undefined });
      return;
    }
    const size = await services.reads.sizes.of(model);
    this.#sizes.set(model, { size, at: this.#elapsed() });
    if (!isSlow && size <= wasteful * Math.max(read.returned, 1)) return;
    entry.judgedAt = this.#elapsed();
    const found = await planOf(services, read);
    const examined = found && examinedBy(found, { read, shape, size });
    const isWasteful =
      examined !== undefined && examined > wasteful * Math.max(read.returned, 1) && !needsAll(read, shape);
    if (!isSlow && !isWasteful) return;
    const needs = found === undefined || isWasteful || (found.sorts && Object.keys(read.sort).length > 1);
    const indexes = needs ? await storedIndexes(model, services.settings.query_limits.max_time_ms) : [];
    const advice = needs ? missingIndex(model.schema, shape, indexes) : undefined;
    this.#found(entry, { read, ms, shape, found, examined, advice });
    if (advice !== undefined && entry.slow !== undefined) await services.of(adviceStore).keep(entry.slow);
  }

  #found(
    entry: Entry,
    seen: {
      read: SeenRead;
      ms: number;
      shape: Shape;
      found: ReadPlan | undefined;
      examined: number | undefined;
      advice: IndexKey | undefined;
    },
  ): void {
    const { services } = this.core;
    const { read, ms, shape, found, examined, advice } = seen;
    const none = { count: 0, total_ms: 0, max_ms: 0, first: services.clock() };
    const { count, total_ms, max_ms, first } = entry.slow ?? none;
    const slow: CountedRead = {
      ...{ model: read.model.name, shape: shape.text, count, total_ms, max_ms, first },
      last: services.clock(),
      plan: found?.plan ?? (isInsert(read) ? insertion : 'unknown'),
      index: found?.index,
      examined,
      returned: read.returned,
      advice,
      fixed: advice === undefined ? 0 : fixedPathCount(advice, shape),
    };
    entry.slow = slow;
    this.#count(entry, slow, { read, ms });
  }

  #count(entry: Entry, slow: CountedRead, { read, ms }: { readonly read: SeenRead; readonly ms: number }): void {
    const { clock, log } = this.core.services;
    slow.count += 1;
    slow.total_ms += ms;
    slow.max_ms = Math.max(slow.max_ms, rounded(ms));
    slow.last = clock();
    slow.returned = read.returned;
    if (entry.seenAt - entry.loggedAt < minute) return;
    entry.loggedAt = entry.seenAt;
    const { model, shape, plan, index, examined, returned, advice, count } = slow;
    log.warn(read.write === undefined ? 'slow read' : 'slow write', {
      model,
      shape,
      plan,
      index,
      examined,
      returned,
      ms: rounded(ms),
      count,
      advice,
    });
  }

  /** @param dropped the entry of before, which may have been dropped */
  #entry(key: string, dropped?: Entry): Entry {
    const known = this.#entries.get(key);
    const seenAt = this.#elapsed();
    const entry = known ?? dropped ?? { slow: undefined, judgedAt: -minute, loggedAt: -minute, seenAt };
    entry.seenAt = seenAt;
    if (known !== undefined) return known;
    if (this.#entries.size >= maxShapes) this.#dropOldest();
    this.#entries.set(key, entry);
    return entry;
  }

  /** Drops the entry that was seen least recently. */
  #dropOldest(): void {
    let oldest: readonly [key: string, entry: Entry] | undefined;
    for (const one of this.#entries) if (oldest === undefined || one[1].seenAt < oldest[1].seenAt) oldest = one;
    if (oldest !== undefined) this.#entries.delete(oldest[0]);
  }
}

/** Milliseconds with one decimal. */
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

const isInsert = ({ write }: SeenRead): boolean => write === 'insertOne' || write === 'insertMany';

/** How many documents a read examines, where its plan shows that: one that goes through all of them to its end. */
function examinedBy(
  { leading, sorts }: ReadPlan,
  { read, shape, size }: { readonly read: SeenRead; readonly shape: Shape; readonly size: number },
): number | undefined {
  const given = new Set([...shape.equality, ...shape.range]);
  if (!shape.isIndexable || (leading.length > 0 && leading.some((path) => given.has(path)))) return undefined;
  const endsEarly = !sorts && read.limit !== undefined && (read.returned >= read.limit || isReduced(read));
  return endsEarly ? undefined : size;
}

/** Stages that return a row for each one that they receive, or more of them. */
const keeping: ReadonlySet<string> = new Set([
  ...['$addFields', '$set', '$unset', '$project', '$replaceRoot', '$replaceWith'],
  ...['$lookup', '$graphLookup', '$sort', '$unionWith', '$setWindowFields'],
]);

/** Whether a pipeline may return fewer rows than it has found documents. */
const isReduced = ({ pipeline }: SeenRead): boolean => pipeline?.following.some((name) => !keeping.has(name)) === true;

/** Whether a pipeline evaluates all documents of a collection, such as groups of them: no index could spare it that. */
const needsAll = (read: SeenRead, { equality, range }: Shape): boolean =>
  isReduced(read) && equality.length === 0 && range.length === 0;

export const slowReads = (core: Core): SlowReads => new SlowReads(core);
