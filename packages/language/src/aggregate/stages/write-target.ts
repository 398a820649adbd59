/** The target collection of `$out` and `$merge`. */
import { StoreError } from '../../errors.ts';
import type { Batches, Value } from '../../values/types.ts';
import type { MergeMode, PipelineContext, Target } from '../context.ts';
import { checkOptions, objectOf, type Stage } from './stage.ts';

/** Reads a target: the name of a collection, or a collection of another database. */
export function targetOf(value: Value, { db }: PipelineContext, name: string): Target {
  if (typeof value === 'string') return { db, collection: checkName(value, name) };
  const spec = objectOf(value, 16990, `${name} target`);
  checkOptions(spec, ['db', 'coll'], 16990, name);
  const { db: other = db, coll } = spec;
  return { db: checkName(other, name), collection: checkName(coll, name) };
}

function checkName(value: Value, name: string): string {
  if (typeof value !== 'string') throw new StoreError(16990, `${name} only supports a string or object argument`);
  if (value === '' || value.includes('$') || value.includes('\0'))
    throw new StoreError(73, `Invalid ${name} target: '${value}'`);
  if (value.startsWith('system.')) throw new StoreError(17385, `Can't ${name} to special collection: ${value}`);
  return value;
}

/** The writing stage; it returns no documents. */
export function writing(target: Target, mode: 'out' | MergeMode, context: PipelineContext): Stage {
  const { write } = context;
  if (write === undefined) throw new StoreError(40601, 'a pipeline that writes is not allowed here');
  return {
    run: async function* (source: Batches) {
      await write(target, mode, source);
      yield [];
    },
  };
}
