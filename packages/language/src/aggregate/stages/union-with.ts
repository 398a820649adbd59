/** `$unionWith`: appends the documents of another collection. */
import { StoreError } from '../../errors.ts';
import type { Value } from '../../values/types.ts';
import { checkDocumentSource, noDocuments } from './documents.ts';
import { checkOptions, objectOf, type StageReader } from './stage.ts';

function read(operand: Value): { collection: string | undefined; pipeline: Value } {
  const spec =
    typeof operand === 'string' ? { coll: operand } : objectOf(operand, 9, 'the $unionWith stage specification');
  checkOptions(spec, ['coll', 'pipeline'], 40415, '$unionWith');
  const { coll, pipeline = [] } = spec as Readonly<Record<string, Value>>;
  checkDocumentSource(coll, pipeline, '$unionWith');
  if (coll !== undefined && (typeof coll !== 'string' || coll === ''))
    throw new StoreError(9, "$unionWith needs 'coll', the name of a collection");
  return { collection: coll, pipeline };
}

export const unionWith: StageReader = (operand, { compiler, nested }) => {
  const { collection, pipeline } = read(operand);
  const inner = nested(pipeline, collection === undefined ? compiler : compiler.on(collection), '$unionWith');
  return {
    run: async function* (source, frame) {
      yield* source;
      const docs = collection === undefined ? noDocuments() : compiler.context.read(collection, inner.leadingFilter);
      yield* inner.run(docs, frame);
    },
  };
};
