/** Collections and cursors of the driver that call back, as they did until release 4: plugins for Mongoose 6 and earlier use them so. */
import mongoose from 'mongoose';
import { type Middleware, runCallback } from './middleware.ts';

const { Collection, FindCursor, AggregationCursor } = mongoose.mongo;

/** Methods that took a callback as the last parameter. */
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

/** Gives the driver's methods their callbacks back. Without a callback they are what they were. */
export function callBack(): void {
  for (const [prototype, names] of methods)
    for (const name of names) {
      const method = (prototype as Record<string, Middleware | undefined>)[name];
      if (method !== undefined) Object.assign(prototype, { [name]: withCallback(method) });
    }
}

const withCallback = (method: Middleware): Middleware =>
  function (...given) {
    const callback = given.at(-1);
    if (typeof callback !== 'function') return method.apply(this, given);
    const work = new Promise((done) => done(method.apply(this, given.slice(0, -1))));
    work.then(
      (result) => runCallback(callback as Middleware, null, result),
      (error: unknown) => runCallback(callback as Middleware, error),
    );
    return undefined;
  };
