/** Whether a caller's right on a model covers given documents. */ import { decide } from "../access/decide.js";
import { covers } from "../access/rows.js";
export function coversAll({ principal }, letter, model, rows) {
    const grant = decide(principal, letter, model);
    return grant !== undefined && rows.every((row)=>covers(grant, model, row));
}
