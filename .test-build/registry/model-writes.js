/**
 * The writes that models make through Mongoose, in their functions and middleware: told document by document, for databases
 * that do not tell of them.
 */ import mongoose from 'mongoose';
const own = Symbol('own write');
/** Marks a query or a document that a writer of this server runs or saves: the writer tells of it itself. */ export const ownWrite = (work)=>Object.assign(work, {
        [own]: true
    });
const isOwn = (work)=>own in work;
/** Most documents of one write that are told one by one. */ const most = 1000;
/** Adds hooks to a schema, which run after its own. @param entry asked for when a write comes */ export function tellWrites(schema, entry, listener) {
    const wants = ()=>listener.wantsBefore(entry());
    const hearing = {
        wants,
        async find (model, filter) {
            const query = model.find(filter);
            query.cast(model);
            const whole = wants();
            const options = {
                limit: most + 1,
                ...whole ? {} : {
                    projection: {
                        _id: 1
                    }
                }
            };
            const rows = await model.collection.find(query.getFilter(), options).toArray();
            return rows.map((row)=>({
                    id: row['_id'],
                    isNew: false,
                    ...whole ? {
                        before: row
                    } : {}
                }));
        },
        tell (writes) {
            if (writes.length > most) listener.touched(entry());
            else if (writes.length > 0) listener.wrote(entry(), writes);
        }
    };
    hearDocuments(schema, hearing);
    hearQueries(schema, hearing);
    hearBulks(schema, hearing);
}
/** Calls back after each of the writes, for who wants to know no more than that there was one. */ export function tellThatWritten(schema, written) {
    const unlessOwn = function() {
        if (!isOwn(this)) written();
    };
    schema.post('save', unlessOwn);
    schema.post('insertMany', unlessOwn);
    schema.post('bulkWrite', unlessOwn);
    schema.post(writingQueries, {
        query: true,
        document: false
    }, unlessOwn);
}
function hearDocuments(schema, { find, wants, tell }) {
    const saving = new WeakMap();
    schema.pre('save', async function() {
        const document = this;
        const { _id: id, isNew } = document;
        if (isOwn(document)) return;
        if (!isNew && wants()) saving.set(document, await find(document.constructor, {
            _id: id
        }));
        else if (isNew || document.isModified()) saving.set(document, [
            {
                id,
                isNew
            }
        ]);
    });
    schema.post('save', function() {
        const document = this;
        tell(saving.get(document) ?? []);
        saving.delete(document);
    });
    schema.post('insertMany', function(documents) {
        if (Array.isArray(documents)) tell(documents.map(({ _id: id })=>({
                id,
                isNew: true
            })));
    });
}
const writingQueries = [
    ...[
        'updateOne',
        'updateMany',
        'replaceOne',
        'deleteOne',
        'deleteMany'
    ],
    ...[
        'findOneAndUpdate',
        'findOneAndReplace',
        'findOneAndDelete'
    ]
];
function hearQueries(schema, { find, wants, tell }) {
    const running = new WeakMap();
    schema.pre(writingQueries, {
        query: true,
        document: false
    }, async function() {
        const query = this;
        // what answers with its document need not be asked for it
        if (isOwn(query)) return;
        if (!query.op.startsWith('findOneAnd') || wants()) running.set(query, await find(query.model, query.getFilter()));
    });
    schema.post(writingQueries, {
        query: true,
        document: false
    }, function(result) {
        const query = this;
        if (isOwn(query)) return;
        const { _id, upsertedId, modifiedCount } = result ?? {};
        const found = running.get(query);
        const id = query.op.startsWith('findOneAnd') ? _id : upsertedId;
        if (found !== undefined && found.length > 0 && modifiedCount !== 0) tell(found);
        else if (id !== undefined && id !== null) tell([
            {
                id,
                isNew: found !== undefined
            }
        ]);
    });
}
/** Middleware of a bulk write cannot tell which of several under way has ended, so the function itself is wrapped. */ function hearBulks(schema, { find, tell }) {
    const statics = schema.statics;
    const { bulkWrite } = mongoose.Model;
    const write = statics['bulkWrite'] ?? bulkWrite;
    statics['bulkWrite'] = async function(operations, options) {
        const filters = operations.flatMap((operation)=>Object.values(operation).flatMap(({ filter })=>filter ?? []));
        const found = filters.length === 0 ? [] : await find(this, {
            $or: filters
        });
        const result = await write.call(this, operations, options);
        const made = [
            ...Object.values(result.insertedIds),
            ...Object.values(result.upsertedIds)
        ];
        tell([
            ...found,
            ...made.map((id)=>({
                    id,
                    isNew: true
                }))
        ]);
        return result;
    };
}
