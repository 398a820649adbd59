/** The few stages that an update may be made of, one document at a time. */ import { notOneStage, StoreError } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { addFields } from "./add-fields.js";
import { project } from "./project.js";
import { replaceRoot, replaceWith } from "./replace-root.js";
import { unset } from "./unset.js";
const updateStages = new Map([
    [
        '$addFields',
        addFields
    ],
    [
        '$set',
        addFields
    ],
    [
        '$project',
        project
    ],
    [
        '$unset',
        unset
    ],
    [
        '$replaceRoot',
        replaceRoot
    ],
    [
        '$replaceWith',
        replaceWith
    ]
]);
/**
 * Makes the function of an update that is a pipeline.
 * @throws StoreError 72 for a stage that may not be in one
 */ export function compileUpdateStages(stages, compiler) {
    const steps = stages.map((stage)=>stepOf(stage, compiler));
    return (doc, frame)=>steps.reduce((changed, step)=>step(changed, frame) ?? changed, doc);
}
function stepOf(stage, compiler) {
    const entries = isDoc(stage) ? Object.entries(stage) : [];
    const [first] = entries;
    if (first === undefined || entries.length > 1) {
        throw notOneStage();
    }
    const [name, operand] = first;
    const read = updateStages.get(name);
    const each = read?.(operand, {
        compiler,
        following: [],
        nested: noPipelines
    }, name).each;
    if (each === undefined) throw new StoreError(72, `${name} is not allowed to be used within an update`);
    return each;
}
const noPipelines = ()=>{
    throw new StoreError(72, 'pipelines are not allowed within the stages of an update');
};
