/** Whether a change failed because a unique value exists, asked of the database where it does not say so itself. */ import { notUnique } from "../errors.js";
import { modelOf, mongo } from "../registry/mongoose.js";
/** DocumentDB has findAndModify tell of a duplicate with this code, not with 11000. */ const badValue = 2;
/** @returns the 409 that an error stands for; undefined where no unique index is in the way */ export async function clashOf({ model, params }, values, error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== badValue) return undefined;
    const own = modelOf(model);
    const stored = await own.findById(params['id']).lean();
    for (const [fields, options] of model.schema.indexes()){
        const paths = Object.keys(fields);
        if (options.unique !== true || !paths.some((path)=>path in values)) continue;
        const taken = paths.map((path)=>[
                path,
                path in values ? values[path] : stored?.[path]
            ]);
        if (await own.exists({
            ...Object.fromEntries(taken),
            _id: {
                $ne: params['id']
            }
        })) return notUnique(paths);
    }
    return undefined;
}
