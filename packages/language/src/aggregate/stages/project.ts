/** `$project`: included, excluded and computed fields. */
import { StoreError } from '../../errors.ts';
import { compileProjection } from '../../project/index.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import type { Frame } from '../expressions/scope.ts';
import { docExpression, type Each, objectOf, perDocument, type StageReader } from './stage.ts';

/** Operators that only the projection of a `find` has. */
function checkNoFindOperators(spec: Doc, path = ''): void {
  for (const [name, value] of Object.entries(spec)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (here.split('.').includes('$'))
      throw new StoreError(31324, 'Cannot use positional projection in aggregation projection');
    if (!isDoc(value)) continue;
    if (Object.hasOwn(value, '$elemMatch'))
      throw new StoreError(31325, 'Cannot use $elemMatch in aggregation projection');
    if (Object.keys(value)[0]?.startsWith('$') !== true) checkNoFindOperators(value, here);
  }
}

/** Compiles a projection that may use the variables of enclosing stages. */
function compileProject(operand: Value, compiler: Compiler): Each {
  const spec = objectOf(operand, 15969, '$project specification');
  if (Object.keys(spec).length === 0) {
    throw new StoreError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  }
  checkNoFindOperators(spec);
  const { textScore } = compiler.context;
  let around: Frame | undefined;
  const project = compileProjection(spec, {
    isStage: true,
    expr: (expression) => {
      const evaluate = docExpression(expression, compiler);
      return (doc) => evaluate(doc, around);
    },
    ...(textScore ? { textScore } : {}),
  });
  return (doc, frame) => {
    around = frame;
    return project(doc);
  };
}

export const project: StageReader = (operand, { compiler }) =>
  perDocument(compiler.context, compileProject(operand, compiler));
