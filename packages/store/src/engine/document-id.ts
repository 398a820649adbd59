/** The `_id` of a new document. */
import { ObjectId } from 'bson';
import { StoreError } from 'dossier-language/errors';
import { type Doc, isDoc, type Value } from 'dossier-language/values';

/**
 * The document with `_id` as its first field; one without `_id` gets an ObjectId.
 * @throws StoreError 2 or 52 when MongoDB refuses the value as an `_id`
 */
export function withId(given: Doc): Doc {
  return checkId(idFirst(given));
}

function idFirst(doc: Doc): Doc {
  if (Object.keys(doc)[0] === '_id') return doc;
  const id: Value = Object.hasOwn(doc, '_id') ? doc['_id'] : new ObjectId();
  const { _id: ignored, ...rest } = doc;
  return { _id: id, ...rest };
}

function checkId(doc: Doc): Doc {
  const id = doc['_id'];
  if (Array.isArray(id)) throw new StoreError(2, "The '_id' value cannot be of type array");
  if (id === undefined) throw new StoreError(2, "The '_id' value cannot be of type undefined");
  if (typeof id === 'object' && id !== null && '_bsontype' in id && id._bsontype === 'BSONRegExp') {
    throw new StoreError(2, "The '_id' value cannot be of type regex");
  }
  const dollar = isDoc(id) ? Object.keys(id).find((name) => name.startsWith('$')) : undefined;
  if (dollar !== undefined)
    throw new StoreError(52, `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`);
  return doc;
}
