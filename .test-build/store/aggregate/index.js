/** The door of aggregation: pipelines and expressions become functions, once, before any document is seen. */ import { Compiler } from "./expressions/compiler.js";
import { operators } from "./expressions/operators.js";
import { readPipeline, rowOf } from "./pipeline.js";
import { docExpression } from "./stages/stage.js";
import { compileUpdateStages } from "./stages/update-stages.js";
export { countAnswer, leadingOf } from "./leading.js";
export { Meter } from "./meter.js";
/**
 * Makes the function of a pipeline, or of what `leadingOf` left of one.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */ export function compilePipeline(stages, context) {
    const { run } = readPipeline([
        ...stages
    ], Compiler.create(operators, context), {
        place: 'top',
        depth: 0
    });
    return (source)=>run(source, undefined);
}
/**
 * Makes the function of an expression.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */ export function compileExpression(expression, context) {
    const evaluate = docExpression(expression, Compiler.create(operators, context));
    return (doc)=>evaluate(doc, undefined);
}
/**
 * Makes the function of an update that is a pipeline.
 * @throws StoreError 72 for a stage that may not be in one, and others as pipelines do
 */ export function compileDocumentPipeline(stages, context) {
    for (const stage of stages)for (const name of Object.keys(stage))rowOf(name);
    const change = compileUpdateStages(stages, Compiler.create(operators, context));
    return (doc)=>change(doc, undefined) ?? doc;
}
