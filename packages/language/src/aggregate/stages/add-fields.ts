/** `$addFields` and `$set`: sets computed fields. */
import { StoreError } from '../../errors.ts';
import { compileFields } from './fields.ts';
import { objectOf, perDocument, type StageReader } from './stage.ts';

export const addFields: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 40272, `${name} specification stage`);
  if (Object.keys(spec).length === 0) {
    throw new StoreError(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
  }
  return perDocument(compiler.context, compileFields(spec, compiler));
};
