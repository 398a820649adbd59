/** `$replaceRoot` and `$replaceWith`: replaces each document by another. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { show } from '../../values/show.ts';
import type { Value } from '../../values/types.ts';
import { typeName } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { checkOptions, docExpression, objectOf, perDocument, type Stage, type StageReader } from './stage.ts';

function replacing(expression: Value, compiler: Compiler, what: string): Stage {
  const evaluate = docExpression(expression, compiler);
  return perDocument(compiler.context, (doc, frame) => {
    const result = evaluate(doc, frame);
    if (isDoc(result)) return result;
    throw new StoreError(
      40228,
      `${what} expression must evaluate to an object, but resulting value was: ${show(result)}. Type of resulting value: '${typeName(result)}'.`,
    );
  });
}

export const replaceRoot: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 40229, `expression specification for ${name}`);
  checkOptions(spec, ['newRoot'], 40230, name);
  if (!Object.hasOwn(spec, 'newRoot')) throw new StoreError(40231, 'no newRoot specified for the $replaceRoot stage');
  return replacing(spec['newRoot'], compiler, "'newRoot'");
};

export const replaceWith: StageReader = (operand, { compiler }) =>
  replacing(operand, compiler, "'replacement document'");
