/** `$addFields` and `$set`: new or other values of fields. */ import { StoreError } from "../../errors.js";
import { compileFields } from "./fields.js";
import { objectOf, perDocument } from "./stage.js";
export const addFields = (operand, { compiler }, name)=>{
    const spec = objectOf(operand, 40272, `${name} specification stage`);
    if (Object.keys(spec).length === 0) {
        throw new StoreError(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
    }
    return perDocument(compiler.context, compileFields(spec, compiler));
};
