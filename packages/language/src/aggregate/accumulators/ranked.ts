/** Accumulators that keep the first or last documents by a sort: `$top`, `$bottom`, `$topN`, `$bottomN`. */
import { StoreError } from '../../errors.ts';
import type { Key } from '../../sort/index.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import { countedSort, valueOf } from '../comparing.ts';
import { type Fields, fieldsOf, typeName } from '../expressions/arguments.ts';
import { scopeOf } from '../expressions/scope.ts';
import type { AccumulatorReader } from './accumulator.ts';
import { countOf } from './counted.ts';

const oneFields: Fields = { notObject: 5788001, unknown: 5788002, required: { sortBy: 5788005, output: 5788004 } };
const manyFields: Fields = { ...oneFields, required: { ...oneFields.required, n: 5788003 } };

interface Ranked {
  readonly key: Key;
  readonly output: Value;
  readonly turn: number;
}

interface Ranking {
  /** Whether the last documents are kept rather than the first. */
  readonly bottom: boolean;
  readonly many: boolean;
}

export const ranked =
  ({ bottom, many }: Ranking): AccumulatorReader =>
  (operand, compiler, name) => {
    const given = fieldsOf(operand, name, many ? manyFields : oneFields);
    const sort = countedSort(sortByOf(given, name), compiler.context);
    const wanted = many ? countOf(compiler.evaluateConstant(given['n'])) : 1;
    const output = compiler.compile(given['output']);
    const order = (a: Ranked, b: Ranked): number => sort.compareKeys(a.key, b.key) || a.turn - b.turn;
    const cut = (all: Ranked[]): Ranked[] => {
      const sorted = all.sort(order);
      return bottom ? sorted.slice(-wanted) : sorted.slice(0, wanted);
    };
    return (memory) => {
      let kept: Ranked[] = [];
      let turns = 0;
      return {
        add: (scope) => {
          const doc = isDoc(scope.current) ? scope.current : {};
          const value = output(scopeOf(doc, scope.frame)) ?? null;
          const one: Ranked = { key: sort.key(doc), output: value, turn: turns };
          for (const held of heldBy(one)) memory.keep(held);
          kept.push(one);
          turns += 1;
          if (kept.length < wanted * 2 + 64) return;
          const before = new Set(kept);
          kept = cut(kept);
          for (const one of kept) before.delete(one);
          memory.drop([...before].flatMap(heldBy));
        },
        result: () => {
          const values = cut(kept).map((one) => one.output);
          return many ? values : (values[0] ?? null);
        },
      };
    };
  };

const heldBy = ({ key, output }: Ranked): readonly Value[] => [output, ...key.map(valueOf)];

function sortByOf({ sortBy }: Doc, name: string): Doc {
  if (!isDoc(sortBy)) {
    throw new StoreError(
      5788604,
      `expected 'sortBy' to already be an object in the arguments to ${name}, but found ${typeName(sortBy)}`,
    );
  }
  return sortBy;
}
