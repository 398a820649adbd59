/** `$match`: the documents that a filter finds. */ import { StoreError } from "../../errors.js";
import { compileFilter, textQueryOf } from "../../query/index.js";
import { truthy } from "../../values/number.js";
import { docExpression, objectOf, perDocument } from "./stage.js";
/** The operand of `$match`. */ export const filterOf = (operand)=>objectOf(operand, 15959, 'the match filter must be an expression in an object, which');
/** Compiles a filter in which variables of the stages around may be used. */ export function compileMatch(operand, compiler) {
    const filter = filterOf(operand);
    if (textQueryOf(filter) !== undefined) {
        throw new StoreError(17313, '$match with $text is only allowed as the first pipeline stage');
    }
    // filters know documents only: the variables are put beside while one is looked at
    let around;
    const matcher = compileFilter(filter, {
        collation: compiler.context.collation,
        charge: (steps)=>compiler.context.meter.charge(steps),
        expr: (expression)=>{
            const evaluate = docExpression(expression, compiler);
            return (doc)=>truthy(evaluate(doc, around));
        }
    });
    return (doc, frame)=>{
        around = frame;
        return matcher.matches(doc);
    };
}
export const match = (operand, { compiler })=>{
    const matches = compileMatch(operand, compiler);
    return perDocument(compiler.context, (doc, frame)=>matches(doc, frame) ? doc : undefined);
};
