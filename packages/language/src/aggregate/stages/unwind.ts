/** `$unwind`: one document per array member. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import { isNullish, typeName } from '../expressions/arguments.ts';
import { readPath } from '../expressions/paths.ts';
import { plainAt, withPath } from './fields.ts';
import { batchSize, checkOptions, type StageReader } from './stage.ts';

interface Unwinding {
  readonly path: readonly string[];
  readonly indexPath: readonly string[] | undefined;
  /** Whether documents without members are kept. */
  readonly keep: boolean;
}

export const unwind: StageReader = (operand, { compiler }) => {
  const unwinding = readUnwind(operand);
  return {
    run: async function* (source: Batches) {
      let batch: Doc[] = [];
      for await (const group of source) {
        for (const doc of group) {
          for (const row of rowsOf(doc, unwinding)) {
            batch.push(row);
            if (batch.length < batchSize) continue;
            yield batch;
            batch = [];
            await compiler.context.yield();
          }
        }
        await compiler.context.yield();
      }
      if (batch.length > 0) yield batch;
    },
  };
};

function readUnwind(operand: Value): Unwinding {
  if (typeof operand === 'string') return { path: pathOf(operand), indexPath: undefined, keep: false };
  if (!isDoc(operand)) {
    throw new StoreError(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(operand)}`,
    );
  }
  checkOptions(operand, ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'], 28811, '$unwind stage');
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: keep = false } = operand;
  if (path === undefined) throw new StoreError(28812, 'no path specified to $unwind stage');
  if (typeof keep !== 'boolean')
    throw new StoreError(
      28809,
      `expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ${typeName(keep)}`,
    );
  return { path: pathOf(path), indexPath: index === undefined ? undefined : indexPathOf(index), keep };
}

function pathOf(path: Value): readonly string[] {
  if (typeof path !== 'string')
    throw new StoreError(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`);
  if (!path.startsWith('$'))
    throw new StoreError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return readPath(path.slice(1));
}

function indexPathOf(index: Value): readonly string[] {
  if (typeof index !== 'string' || index === '')
    throw new StoreError(28810, 'expected a non-empty string for the includeArrayIndex option to $unwind stage');
  if (index.startsWith('$'))
    throw new StoreError(
      28822,
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${index}`,
    );
  return readPath(index);
}

function* rowsOf(doc: Doc, { path, indexPath, keep }: Unwinding): Generator<Doc> {
  const value = plainAt(doc, path);
  const numbered = (row: Doc, index: bigint | null): Doc =>
    indexPath === undefined ? row : withPath(row, indexPath, index);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) yield numbered(withPath(doc, path, value[at] ?? null), BigInt(at));
    if (value.length === 0 && keep) yield numbered(withPath(doc, path, undefined), null);
  } else if (!isNullish(value) || keep) yield numbered(doc, null);
}
