/** How commands deal with index builds that run beside them. */
import { StoreError } from 'dossier-language/errors';
import type { Value } from 'dossier-language/values';
import { isDoc, show } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { type IndexSpec, sameKey } from '../engine/index-spec.ts';
import type { RunningBuild } from '../engine/running-builds.ts';
import type { Context } from './context.ts';

/**
 * Waits for the end of a build while other commands write.
 * @throws StoreError 50 after the time limit, 11601 after an interruption
 */
export async function endOf(build: RunningBuild, { progress, operation }: Context): Promise<void> {
  await progress?.beside(() => operation.wait(operation.remainingMs, (callback) => build.onEnd(callback)));
  operation.checkTime();
  operation.resume();
}

/** Builds that `dropIndexes` aborts, and the names of indexes that are left; undefined for none. */
interface Named {
  readonly builds: readonly RunningBuild[];
  readonly others: Value | undefined;
}

/**
 * The builds whose indexes are named by name, key, list or `*`.
 * @throws StoreError 12587 if only some of the indexes of a build are named
 */
export function buildsNamed({ builds: { all }, indexes }: Collection, named: Value): Named {
  if (named === '*') return { builds: all, others: named };
  const names: readonly Value[] = Array.isArray(named) ? named : [named];
  const isNamed = (spec: IndexSpec): boolean => names.some((name) => isOf(name, spec));
  const builds = all.filter(({ specs }) => specs.some(isNamed));
  const part = builds.find(({ specs }) => !specs.every(isNamed));
  if (part !== undefined)
    throw new StoreError(
      12587,
      `cannot drop a part of the indexes that are built together: name all of them: ${show([...part.names])}`,
    );
  const isLeft = (name: Value): boolean =>
    !builds.some(({ specs }) => specs.some((spec) => isOf(name, spec))) || indexes.some((spec) => isOf(name, spec));
  const left = names.filter(isLeft);
  if (left.length === names.length) return { builds, others: named };
  return { builds, others: left.length === 0 ? undefined : left };
}

const isOf = (name: Value, spec: IndexSpec): boolean => (isDoc(name) ? sameKey(spec.key, name) : spec.name === name);

/** @throws StoreError 12587 while indexes of a collection are built */
export function checkNoBuild({ ns, builds: { all } }: Collection): void {
  const names = all.flatMap((build) => build.names);
  if (names.length === 0) return;
  throw new StoreError(
    12587,
    `cannot perform operation: an index build is currently running for collection ${ns}: ${names.join(', ')}`,
  );
}
