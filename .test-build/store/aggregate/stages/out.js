/** `$out`: the documents become a collection, in place of the one that was there. */ import { notSupported } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { targetOf, writing } from "./write-target.js";
export const out = (operand, { compiler: { context } }, name)=>{
    if (isDoc(operand) && Object.hasOwn(operand, 'timeseries')) throw notSupported('$out to a time-series collection');
    return writing(targetOf(operand, context, name), 'out', context);
};
