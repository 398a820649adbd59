/** Collections and cursors of the driver that call back, as they did until release 4: plugins for Mongoose 6 and earlier use them so. */ import mongoose from 'mongoose';
import { runCallback } from "./middleware.js";
const { Collection, FindCursor, AggregationCursor } = mongoose.mongo;
/** Methods that took a callback as the last parameter. */ const methods = [
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
                'deleteOne'
            ],
            ...[
                'distinct',
                'drop',
                'dropIndex',
                'dropIndexes',
                'estimatedDocumentCount',
                'find',
                'findOne',
                'findOneAndDelete'
            ],
            ...[
                'findOneAndReplace',
                'findOneAndUpdate',
                'indexes',
                'insertMany',
                'insertOne',
                'rename',
                'replaceOne'
            ],
            ...[
                'updateMany',
                'updateOne'
            ]
        ]
    ],
    ...[
        FindCursor,
        AggregationCursor
    ].map(({ prototype })=>[
            prototype,
            [
                'close',
                'count',
                'explain',
                'hasNext',
                'next',
                'toArray',
                'tryNext'
            ]
        ])
];
/** Gives the driver's methods their callbacks back. Without a callback they are what they were. */ export function callBack() {
    for (const [prototype, names] of methods)for (const name of names){
        const method = prototype[name];
        if (method !== undefined) Object.assign(prototype, {
            [name]: withCallback(method)
        });
    }
}
const withCallback = (method)=>function(...given) {
        const callback = given.at(-1);
        if (typeof callback !== 'function') return method.apply(this, given);
        const work = new Promise((done)=>done(method.apply(this, given.slice(0, -1))));
        work.then((result)=>runCallback(callback, null, result), (error)=>runCallback(callback, error));
        return undefined;
    };
