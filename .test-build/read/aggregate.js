/** `/aggregate`: which pipeline a caller's stages become, and its rows, read one by one and never more than an answer may hold. */ import { decide } from "../access/decide.js";
import { rowFilter } from "../access/rows.js";
import { answerTooLarge, badPipeline, forbidden, needsTooMuch } from "../errors.js";
import { allOf } from "../language/merge.js";
import { readPipeline } from "../language/pipeline.js";
import { flagOf } from "../language/tree.js";
import { fromDatabase } from "../registry/database-errors.js";
import { notDeleted } from "../registry/deleted.js";
import { modelOf, mongo } from "../registry/mongoose.js";
import { JsonBytes } from "./bytes/json-bytes.js";
import { DocumentWriter } from "./bytes/writer.js";
import { cached } from "./cached.js";
import { writeTarget } from "./aggregate-target.js";
/** @throws 400 for what is not allowed, 401 or 403 for what is not the caller's */ export function planAggregate(context) {
    const { model, grant, query, services, principal } = context;
    const showDeleted = flagOf(query, 'showDeleted');
    const allowDiskUse = flagOf(query, 'allowDiskUse');
    const reads = new Set([
        model
    ]);
    let writes = false;
    let written;
    const reach = {
        caller: principal,
        now: services.clock(),
        join: (name)=>{
            const joined = joinedModel(context, name);
            reads.add(joined);
            return {
                collection: joined.collection,
                schema: joined.schema,
                filter: showDeleted ? {} : notDeleted
            };
        },
        target: (stage, name)=>{
            const target = writeTarget(context, stage, name);
            writes = true;
            written = target.model;
            return {
                collection: target.collection,
                schema: target.model?.schema
            };
        }
    };
    const source = {
        collection: model.collection,
        schema: model.schema,
        filter: allOf([
            context.restrictions.hook,
            rowFilter(grant, model),
            showDeleted ? undefined : notDeleted
        ])
    };
    const stages = readPipeline(stagesIn(context.body), source, reach);
    return {
        model,
        stages,
        allowDiskUse,
        reads,
        writes,
        written
    };
}
/** The body is the list of stages, or has it under `query`, as the row of the operation says. */ const stagesIn = (body)=>Array.isArray(body) ? body : body.query;
/** Models are joined by their name or by that of their collection. */ function joinedModel({ services, principal }, name) {
    const { served } = services.registry;
    const found = served.find(({ collection })=>collection === name) ?? served.find((entry)=>entry.name === name);
    if (found === undefined) throw badPipeline(`there is no model ${JSON.stringify(name.slice(0, 60))} to join`);
    if (decide(principal, 'r', found)?.rows !== 'all') throw forbidden(`you may not read all of ${found.name}`);
    return found;
}
/** The answer of a pipeline, as JSON. @throws 413 as soon as its rows are more than an answer may hold */ export function aggregate(context, plan) {
    const { stages, writes, reads, model, allowDiskUse } = plan;
    const { services, signal } = context;
    const make = ()=>services.shares.pipelines(signal, async ()=>({
                body: await rowsOf(context, plan),
                headers: {}
            }));
    if (services.cache === undefined || writes || changing.test(JSON.stringify(context.body))) return make();
    return cached(context, [
        ...reads
    ], ()=>({
            model: model.name,
            stages,
            allowDiskUse
        }), make);
}
/** What gives another answer each time. */ const changing = /\$sample|\$rand|\$function|\$accumulator|\$\$NOW|\$\$CLUSTER_TIME/;
async function rowsOf(context, plan) {
    const { services, signal } = context;
    const { max_time_ms, max_response_size } = services.settings.query_limits;
    const cursor = modelOf(plan.model).collection.aggregate(plan.stages, {
        maxTimeMS: max_time_ms,
        allowDiskUse: plan.allowDiskUse,
        signal,
        raw: true
    });
    const out = new JsonBytes(roomAtFirst, max_response_size);
    const writer = new DocumentWriter(out, whole);
    out.ascii('{"data":[');
    try {
        for await (const first of cursor)for (const row of [
            first,
            ...cursor.readBufferedDocuments()
        ]){
            writer.row(row);
            out.comma();
            if (out.length > max_response_size) throw answerTooLarge(max_response_size);
        }
    } catch (error) {
        throw fromPipeline(error);
    } finally{
        await cursor.close().catch(()=>undefined);
        if (plan.written !== undefined) services.bus.touched(plan.written);
    }
    out.close(closingBracket);
    out.ascii('}');
    return out.written;
}
/** Bytes that an answer has room for before it grows. */ const roomAtFirst = 4096;
const closingBracket = 0x5d;
/** Rows of a pipeline are shown as they are, but for secrets. */ const whole = {
    fields: undefined,
    withId: false,
    links: undefined
};
/** More memory than a stage or a document may take. */ const sizeCodes = new Set([
    146,
    292,
    4568,
    10334,
    17419,
    17420,
    16755,
    16945,
    5643004
]);
/** What is left after the known errors is a fault of the pipeline: a stage or an expression that these documents do not bear. */ function fromPipeline(error) {
    if (error instanceof mongo.MongoServerError && sizeCodes.has(error.code)) return needsTooMuch(error);
    const known = fromDatabase(error);
    return known instanceof mongo.MongoServerError ? badPipeline('the database does not accept this pipeline') : known;
}
