/**
 * Restores the callbacks of the driver's collections and cursors, which it had until release 4 and which plugins for Mongoose 6
 * and earlier use.
 */
import mongoose from 'mongoose';
import { type Middleware, withCallback } from '../async/next-callback.ts';

const { Collection, FindCursor, AggregationCursor } = mongoose.mongo;

/** Methods that accepted a callback as the last parameter. */
const methods: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  [
    Collection.prototype,
    [
      ...[
        'aggregate',
        'bulkWrite',
        'count',
        'countDocuments',
        'createIndex',
        'createIndexes',
        'deleteMany',
        'deleteOne',
      ],
      ...[
        'distinct',
        'drop',
        'dropIndex',
        'dropIndexes',
        'estimatedDocumentCount',
        'find',
        'findOne',
        'findOneAndDelete',
      ],
      ...['findOneAndReplace', 'findOneAndUpdate', 'indexes', 'insertMany', 'insertOne', 'rename', 'replaceOne'],
      ...['updateMany', 'updateOne'],
    ],
  ],
  ...[FindCursor, AggregationCursor].map(
    ({ prototype }) => [prototype, ['close', 'count', 'explain', 'hasNext', 'next', 'toArray', 'tryNext']] as const,
  ),
];

/** Makes the driver's methods accept a callback. Without one they are unchanged. */
export function callBack(): void {
  for (const [prototype, names] of methods)
    for (const name of names) {
      const method = (prototype as Record<string, Middleware | undefined>)[name];
      if (method !== undefined) Object.assign(prototype, { [name]: withCallback(method) });
    }
}
