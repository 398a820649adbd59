/**
 * Callbacks of queries and documents, `Model.findOne(filter, (error, doc) => …)`, which Mongoose took until version 6. Later versions refuse
 * or ignore them, so model files that were written for those would fail in their requests.
 */
import mongoose from 'mongoose';
import { type Middleware, withCallback } from '../../async/next-callback.ts';

const { Model, Query, Aggregate, Document } = mongoose;

/** What reads and writes, of models and of queries. */
const operations = [
  ...['find', 'findOne', 'findOneAndUpdate', 'findOneAndDelete', 'findOneAndReplace', 'distinct'],
  ...['countDocuments', 'estimatedDocumentCount', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'],
];

/** Functions that took a callback as the last argument. */
const functions: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [
    Model,
    [
      ...operations,
      ...['findById', 'findByIdAndUpdate', 'findByIdAndDelete', 'exists', 'create', 'insertMany', 'bulkWrite'],
      ...['populate', 'aggregate', 'createIndexes', 'ensureIndexes', 'syncIndexes', 'init'],
    ],
  ],
  [Query.prototype, [...operations, 'exec']],
  [Aggregate.prototype, ['exec', 'explain']],
  [Model.prototype, ['save', '$save', 'deleteOne', 'updateOne']],
  [Document.prototype, ['validate', 'populate', 'replaceOne']],
];

let isDone = false;

/** From now on, the functions of Mongoose take callbacks. Without one they are unchanged. */
export function takeCallbacks(): void {
  if (isDone) return;
  isDone = true;
  for (const [owner, names] of functions)
    for (const name of names) {
      const method: unknown = Reflect.get(owner, name);
      if (typeof method === 'function') Reflect.set(owner, name, withCallback(method as Middleware));
    }
}
