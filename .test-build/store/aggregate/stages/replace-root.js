/** `$replaceRoot` and `$replaceWith`: another document in place of each. */ import { StoreError } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { show } from "../../values/show.js";
import { typeName } from "../expressions/arguments.js";
import { checkOptions, docExpression, objectOf, perDocument } from "./stage.js";
function replacing(expression, compiler, what) {
    const evaluate = docExpression(expression, compiler);
    return perDocument(compiler.context, (doc, frame)=>{
        const result = evaluate(doc, frame);
        if (isDoc(result)) return result;
        throw new StoreError(40228, `${what} expression must evaluate to an object, but resulting value was: ${show(result)}. Type of resulting value: '${typeName(result)}'.`);
    });
}
export const replaceRoot = (operand, { compiler }, name)=>{
    const spec = objectOf(operand, 40229, `expression specification for ${name}`);
    checkOptions(spec, [
        'newRoot'
    ], 40230, name);
    if (!Object.hasOwn(spec, 'newRoot')) throw new StoreError(40231, 'no newRoot specified for the $replaceRoot stage');
    return replacing(spec['newRoot'], compiler, "'newRoot'");
};
export const replaceWith = (operand, { compiler })=>replacing(operand, compiler, "'replacement document'");
