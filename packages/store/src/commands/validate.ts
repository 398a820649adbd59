/** `validate`: checks a collection and its indexes. */
import { Binary } from 'bson';
import { notSupported, StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { checkCollection } from '../engine/checking.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, flagOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { existingOf } from './query-context.ts';

async function run(context: Context): Promise<Reply> {
  const { body, db, operation } = context;
  for (const option of ['repair', 'fixMultikey'])
    if (flagOf(body, option)) throw notSupported(`the option '${option}' of validate`);
  const name = collectionOf(context);
  const collection = existingOf(context, name);
  if (collection === undefined) throw new StoreError(26, `Collection '${db}.${name}' does not exist to validate.`);
  const { documents, invalid, refused, indexes } = await checkCollection(collection, operation, (stored) =>
    context.check.accepts(collection, stored.doc),
  );
  const text = collection.text?.spec.name;
  const errors = [
    ...(invalid > 0 ? [`${invalid} documents cannot be decoded`] : []),
    ...indexes.flatMap((index) => index.errors),
  ];
  return {
    fields: {
      ns: collection.ns,
      uuid: new Binary(collection.uuid, Binary.SUBTYPE_UUID),
      nInvalidDocuments: invalid,
      nNonCompliantDocuments: refused,
      nrecords: documents,
      nIndexes: collection.indexes.length,
      keysPerIndex: Object.fromEntries(indexes.map((index): readonly [string, number] => [index.name, index.keys])),
      indexDetails: Object.fromEntries(
        indexes.map((index): readonly [string, Doc] => [index.name, { valid: index.errors.length === 0 }]),
      ),
      valid: errors.length === 0,
      repaired: false,
      warnings: [
        ...(refused > 0 ? [`the validator of the collection refuses ${refused} documents`] : []),
        ...(text === undefined ? [] : [`the words of the text index ${text} are not checked`]),
      ],
      errors,
      extraIndexEntries: [],
      missingIndexEntries: [],
      corruptRecords: [],
    },
  };
}

/** The command `validate`. */
export const validate: Command = {
  name: 'validate',
  summary: 'Checks the documents and indexes of a collection',
  fields: ['full', 'background', 'repair', 'fixMultikey', 'metadata', 'checkBSONConformance', 'enforceFastCount'],
  kind: 'read',
  run,
};
