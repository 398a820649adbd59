/** `$redact`: keeps, cuts away or looks into each level of a document. */ import { StoreError } from "../../errors.js";
import { setField } from "../../values/decode.js";
import { isDoc } from "../../values/kind.js";
import { show } from "../../values/show.js";
import { perDocument } from "./stage.js";
const decisions = [
    'descend',
    'prune',
    'keep'
];
export const redact = (operand, { compiler })=>{
    const decide = compiler.within('DESCEND', 'PRUNE', 'KEEP').compile(operand);
    return perDocument(compiler.context, (doc, outer)=>{
        const frame = decisions.reduce((around, value)=>({
                value,
                outer: around
            }), outer);
        return redactDoc(doc, {
            decide,
            root: doc,
            frame
        });
    });
};
function redactDoc(doc, redaction) {
    const { decide, root, frame } = redaction;
    const decision = decide({
        root,
        current: doc,
        frame
    });
    if (decision === 'keep') return doc;
    if (decision === 'prune') return undefined;
    if (decision !== 'descend') {
        throw new StoreError(17053, `$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned ${show(decision)}`);
    }
    const made = {};
    for (const name of Object.keys(doc)){
        const value = redactValue(doc[name], redaction);
        if (value !== undefined) setField(made, name, value);
    }
    return made;
}
function redactValue(value, redaction) {
    if (isDoc(value)) return redactDoc(value, redaction);
    if (!Array.isArray(value)) return value;
    return value.map((member)=>redactValue(member, redaction)).filter((member)=>member !== undefined);
}
