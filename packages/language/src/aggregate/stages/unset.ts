/** `$unset`: excludes fields. */
import { dollarName, StoreError } from '../../errors.ts';
import { compileProjection } from '../../project/index.ts';
import { perDocument, type StageReader } from './stage.ts';

export const unset: StageReader = (operand, { compiler }) => {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0)
    throw new StoreError(31119, '$unset specification must be a string or an array with at least one field');
  const names = paths.map((path) => {
    if (typeof path !== 'string') {
      throw new StoreError(
        Array.isArray(operand) ? 31120 : 31002,
        '$unset specification must be a string or an array of strings',
      );
    }
    if (path.startsWith('$')) throw dollarName();
    return path;
  });
  const project = compileProjection(Object.fromEntries(names.map((name) => [name, 0])), {});
  return perDocument(compiler.context, (doc) => project(doc));
};
