/** `$documents`: documents from an expression, at the start of a pipeline without a collection. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { show } from '../../values/show.ts';
import type { Doc, Value } from '../../values/types.ts';
import { docExpression, inBatches, type StageReader } from './stage.ts';

/** Whether a pipeline starts with `$documents`, and so needs no collection. */
function hasOwnDocuments(pipeline: Value): boolean {
  const first: Value = Array.isArray(pipeline) ? pipeline[0] : undefined;
  return isDoc(first) && Object.hasOwn(first, '$documents');
}

/**
 * Checks that a pipeline has either a collection or `$documents`.
 * @throws StoreError 73 if it has both, 9 if it has neither
 */
export function checkDocumentSource(collection: Value, pipeline: Value, name: string): void {
  if ((collection === undefined) === hasOwnDocuments(pipeline)) return;
  if (collection === undefined)
    throw new StoreError(9, `${name} without a collection needs a pipeline that begins with $documents`);
  throw new StoreError(73, `$documents is not valid in a ${name} with a collection`);
}

/** The empty source of a pipeline without a collection. */
export async function* noDocuments(): AsyncGenerator<readonly Doc[]> {
  // `$documents` creates its own
}

export const documents: StageReader = (operand, { compiler }) => {
  const evaluate = docExpression(operand, compiler);
  return {
    run: (_source, frame) => inBatches(listOf(evaluate({}, frame)), checkedDocument, compiler.context),
  };
};

function listOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new StoreError(5858203, 'an array is expected');
}

function checkedDocument(value: Value): Doc {
  if (isDoc(value)) return value;
  throw new StoreError(40228, `each member of $documents must be an object, but one is ${show(value)}`);
}
