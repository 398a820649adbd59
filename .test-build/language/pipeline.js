/** A caller's pipeline → the pipeline that is run: every stage held against the table, at every depth, behind the rules of its source. */ import { adminOnly, badPipeline, operatorDenied, tooDeep, tooMany } from "../errors.js";
import { noSchema } from "../registry/object-id.js";
import { ExpressionReader, forAdmins } from "./expressions.js";
import { filterOfCleaned, isObject } from "./guard.js";
import { allOf } from "./merge.js";
import { withoutSecrets } from "./pipeline-secrets.js";
import { readOperand } from "./pipeline-operands.js";
import { pipelineLimits, stages } from "./stages.js";
import { wholePaths } from "./wholes.js";
/** Documents that no schema describes: nothing is cast, and `id` is a name like any other. */ const unknownSchema = noSchema();
/** The whole pipeline for a source. @throws 400, 401 or 403 */ export function readPipeline(value, source, reach) {
    const expressions = new ExpressionReader(reach.caller, reach.now);
    const bounded = {
        ...reach,
        join: atMost(pipelineLimits.joins, reach.join)
    };
    return pipelineOver(value, source, {
        reach: bounded,
        expressions,
        nesting: 0,
        schema: source.schema
    });
}
/** Each join brings stages that keep secrets. */ function atMost(most, join) {
    let joins = 0;
    return (name)=>{
        joins += 1;
        if (joins > most) throw tooMany('joins in a pipeline', most);
        return join(name);
    };
}
/** A pipeline over a source of its own: rights, deletion and secrets come before the caller's first stage. */ export function pipelineOver(value, source, walk) {
    const read = stagesOf(value, {
        ...walk,
        schema: source.schema
    });
    const filters = [];
    // a filter that only compares single values sees no secrets, and as the first stage it can use an index
    while(read[0] !== undefined && isPlainMatch(read[0]))filters.push(read.shift()?.['$match']);
    const filter = allOf([
        ...filters,
        source.filter
    ]);
    const rest = withoutSecrets(source.schema, read, walk.nesting > 0);
    return Object.keys(filter).length === 0 ? rest : [
        {
            $match: filter
        },
        ...rest
    ];
}
const isPlainMatch = ({ $match })=>$match !== undefined && !holds($match, '$expr') && wholePaths($match).length === 0;
const holds = (value, name)=>Array.isArray(value) ? value.some((member)=>holds(member, name)) : isObject(value) && Object.entries(value).some(([key, inner])=>key === name || holds(inner, name));
/** The stages of a list, one after the other. */ export function stagesOf(value, walk) {
    if (!Array.isArray(value)) throw badPipeline('a pipeline must be a list of stages');
    if (value.length > pipelineLimits.stages) throw tooMany('stages in a pipeline', pipelineLimits.stages);
    if (walk.nesting > pipelineLimits.nesting) throw tooDeep('nested pipelines', pipelineLimits.nesting);
    let { schema } = walk;
    return value.flatMap((stage, at)=>{
        const { row, operand } = stageOf(stage, walk.reach);
        if (row.admin === true) checkWriter(row, walk, at === value.length - 1);
        const read = readOperand(row, operand, {
            ...walk,
            schema
        });
        if (row.keeps !== true) schema = undefined;
        return read;
    });
}
function stageOf(stage, { caller }) {
    if (!isObject(stage)) throw badPipeline('a stage must be an object');
    const [[name, operand] = [
        '',
        undefined
    ], ...more] = Object.entries(stage);
    if (name === '' || more.length > 0) throw badPipeline('a stage must have one key, its name');
    const row = stages.get(name);
    if (forAdmins.has(name) && !caller.admin) throw adminOnly(caller, name);
    if (row === undefined) throw operatorDenied(name);
    return {
        row,
        operand
    };
}
function checkWriter({ name }, { reach, nesting }, last) {
    if (!reach.caller.admin) throw adminOnly(reach.caller, name);
    if (nesting > 0 || !last) throw badPipeline(`${name} must be the last stage of the pipeline`);
}
/** The filter of a `$match`, cast by the schema as long as documents are as the schema has them. */ export const matchFilter = (value, { schema, reach, expressions })=>filterOfCleaned(value, schema ?? unknownSchema, reach.now, (expression)=>expressions.read(expression));
