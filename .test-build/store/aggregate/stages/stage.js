/** What a stage is: a step from documents to documents, a group of them at a time. */ import { StoreError, unknownName } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { typeName } from "../expressions/arguments.js";
import { scopeOf } from "../expressions/scope.js";
import { Memory } from "../memory.js";
/** How many documents a step hands on at once. */ export const batchSize = 128;
/** A stage that looks at each document by itself. */ export const perDocument = (context, each)=>({
        each,
        run: (source, frame)=>mapped(source, (doc)=>each(doc, frame), context)
    });
/** Takes each document through a step. */ export async function* mapped(source, step, context) {
    for await (const batch of source){
        const results = [];
        for (const doc of batch){
            const result = step(doc);
            if (result !== undefined) results.push(result);
            if (context.due()) await context.yield();
        }
        if (results.length > 0) yield results;
    }
}
/** Compiles an expression of a stage; what it makes for one document is bounded. */ export function docExpression(expression, compiler) {
    const evaluate = compiler.compile(expression);
    return (doc, frame)=>evaluate(scopeOf(doc, frame));
}
/** Makes one document after the other from what was gathered, and hands them on in groups. */ export async function* inBatches(items, make, context) {
    let batch = [];
    for (const item of items){
        batch.push(make(item));
        if (context.due()) await context.yield();
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
    }
    if (batch.length > 0) yield batch;
}
/**
 * All documents of a source.
 * @throws StoreError when they take up more than a stage may hold
 */ export async function gather(source, context, memory) {
    const docs = [];
    for await (const batch of source){
        for (const doc of batch){
            memory.keep(doc);
            docs.push(doc);
        }
        await context.yield();
    }
    return docs;
}
/** The memory of a stage. */ export const memoryFor = (context, name, code)=>new Memory(context, name, code);
/** @throws StoreError with the code given for what is no object */ export function objectOf(operand, code, what) {
    if (!isDoc(operand)) throw new StoreError(code, `${what} must be an object, but got ${typeName(operand)}`);
    return operand;
}
/** @throws StoreError with the code given for an option that there isn't */ export function checkOptions(given, known, code, name) {
    for (const option of Object.keys(given)){
        if (!known.includes(option)) throw unknownName(code, `Unrecognized option to ${name}: ${option}`);
    }
}
