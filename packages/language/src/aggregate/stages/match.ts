/** `$match`: the documents that a filter matches. */
import { StoreError } from '../../errors.ts';
import { compileFilter, textQueryOf } from '../../query/index.ts';
import { truthy } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import type { Frame } from '../expressions/scope.ts';
import { docExpression, objectOf, perDocument, type StageReader } from './stage.ts';

/** The operand of `$match`. */
export const filterOf = (operand: Value): Doc =>
  objectOf(operand, 15959, 'the match filter must be an expression in an object, which');

/** Compiles a filter that may use the variables of enclosing stages. */
export function compileMatch(operand: Value, compiler: Compiler): (doc: Doc, frame: Frame | undefined) => boolean {
  const filter = filterOf(operand);
  if (textQueryOf(filter) !== undefined) {
    throw new StoreError(17313, '$match with $text is only allowed as the first pipeline stage');
  }
  // a filter takes only the document, so the variables of the current one are passed beside it
  let around: Frame | undefined;
  const matcher = compileFilter(filter, {
    collation: compiler.context.collation,
    charge: (steps) => compiler.context.meter.charge(steps),
    expr: (expression) => {
      const evaluate = docExpression(expression, compiler);
      return (doc) => truthy(evaluate(doc, around));
    },
  });
  return (doc, frame) => {
    around = frame;
    return matcher.matches(doc);
  };
}

export const match: StageReader = (operand, { compiler }) => {
  const matches = compileMatch(operand, compiler);
  return perDocument(compiler.context, (doc, frame) => (matches(doc, frame) ? doc : undefined));
};
