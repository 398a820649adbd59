/** Stages that write: $out and $merge. They come last and answer with nothing. */
import { notSupported, StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Value } from '../../values/types.ts';
import type { MergeMode, PipelineContext } from '../context.ts';
import { objectOf, textOf, type Stage } from './stage.ts';

interface Target {
  readonly db: string;
  readonly collection: string;
}

function targetOf(value: Value, name: string, { db }: PipelineContext): Target {
  if (typeof value === 'string') return { db, collection: textOf(value, name) };
  const { db: other = db, coll } = objectOf(value, name);
  return { db: textOf(other, `'db' of ${name}`), collection: textOf(coll, `'coll' of ${name}`) };
}

function writing(target: Target, mode: 'out' | MergeMode, context: PipelineContext): ReturnType<Stage> {
  const { write } = context;
  if (write === undefined) throw new StoreError(40601, 'a pipeline that writes cannot stand here');
  return async function* (source) {
    await write(target, mode, source);
    yield [];
  };
}

export const out: Stage = (operand, context) => writing(targetOf(operand, '$out', context), 'out', context);

const matched = ['replace', 'keepExisting', 'merge', 'fail'] as const;
const notMatched = ['insert', 'discard', 'fail'] as const;

function oneOf<T extends string>(value: Value, known: readonly T[], fallback: T, name: string): T {
  if (value === undefined) return fallback;
  if (Array.isArray(value) || isDoc(value)) throw notSupported(`${name} as a pipeline`);
  const found = known.find((one) => one === value);
  if (found === undefined) throw new StoreError(2, `${name} must be one of ${known.join(', ')}`);
  return found;
}

export const merge: Stage = (operand, context) => {
  const spec = typeof operand === 'string' ? { into: operand } : objectOf(operand, '$merge');
  for (const key of Object.keys(spec))
    if (!['into', 'on', 'whenMatched', 'whenNotMatched', 'let'].includes(key))
      throw new StoreError(40415, `BSON field '$merge.${key}' is an unknown field.`);
  const { into, on = '_id', whenMatched, whenNotMatched } = spec as Readonly<Record<string, Value>>;
  const paths = (Array.isArray(on) ? on : [on]).map((path) => textOf(path, "'on' of $merge"));
  const mode: MergeMode = {
    merge: {
      on: paths,
      whenMatched: oneOf(whenMatched, matched, 'merge', 'whenMatched'),
      whenNotMatched: oneOf(whenNotMatched, notMatched, 'insert', 'whenNotMatched'),
    },
  };
  return writing(targetOf(into, '$merge', context), mode, context);
};
