/** Window functions of the position: ranks, document numbers, shifts. */
import { StoreError } from '../../errors.ts';
import { compileSort } from '../../sort/index.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import { type Fields, fieldsOf, intOf } from '../expressions/arguments.ts';
import { docExpression } from '../stages/stage.ts';
import { needed } from './order.ts';
import type { WindowReader, WindowTools } from './window-function.ts';

function checkPlain(operand: Value, { hasWindow }: WindowTools, name: string): void {
  if (!isDoc(operand) || Object.keys(operand).length > 0)
    throw new StoreError(5371603, `${name} must be specified with '{}' as the value`);
  if (hasWindow)
    throw new StoreError(5371601, `Rank style window functions take no other arguments: ${name} with a window`);
}

/** The ranks of the first and of each further one of several equal documents. */
type Count = (places: { readonly place: number; readonly group: number }) => number;

const ranking =
  (count: Count): WindowReader =>
  (operand, tools, name) => {
    checkPlain(operand, tools, name);
    needed(tools.order, name);
    const sort = compileSort(tools.sortBy ?? {}, tools.compiler.context.collation);
    return ({ docs }) => {
      let before: Doc | undefined;
      let group = 0;
      let first = 0;
      const ranks = docs.map((doc, at) => {
        if (before === undefined || sort.compare(before, doc) !== 0) {
          group += 1;
          first = at + 1;
        }
        before = doc;
        return count({ place: first, group });
      });
      return Promise.resolve(ranks);
    };
  };

const documentNumber: WindowReader = (operand, tools, name) => {
  checkPlain(operand, tools, name);
  needed(tools.sortBy, name);
  return ({ docs }) => Promise.resolve(docs.map((_doc, at) => at + 1));
};

const shiftFields: Fields = { notObject: 9, unknown: 9, required: { output: 9, by: 9 }, optional: ['default'] };

const shift: WindowReader = (operand, { compiler, sortBy, hasWindow }, name) => {
  const given = fieldsOf(operand, name, shiftFields);
  if (hasWindow) throw new StoreError(9, `${name} does not accept a 'window' field`);
  needed(sortBy, name);
  const by = intOf(
    given['by'],
    () => new StoreError(9, `'$shift:by' field must be an integer, but found ${String(given['by'])}`),
  );
  const output = docExpression(given['output'], compiler);
  const otherwise = compiler.evaluateConstant(given['default'] ?? null);
  return ({ docs, frame }) => {
    const values = docs.map((_doc, at) => {
      const neighbour = docs[at + by];
      return neighbour === undefined ? otherwise : output(neighbour, frame);
    });
    return Promise.resolve(values);
  };
};

/** The functions of this file. */
export const rankFunctions: readonly (readonly [string, WindowReader])[] = [
  ['$rank', ranking(({ place }) => place)],
  ['$denseRank', ranking(({ group }) => group)],
  ['$documentNumber', documentNumber],
  ['$shift', shift],
];
