/** How a projection is carried out on a document: fields kept in their order, calculated ones after them. */ import { setField } from "../values/decode.js";
import { isDoc } from "../values/kind.js";
import { computes } from "./tree.js";
/** Projects a document. */ export const project = (doc, tree, mode)=>projectDoc(doc, tree, {
        mode,
        root: doc
    });
function projectDoc(doc, branch, work) {
    const result = {};
    for (const name of Object.keys(doc)){
        const node = branch.children.get(name);
        const value = node === undefined ? unnamed(doc[name], work) : projectValue(doc[name], node, work);
        if (value !== undefined) setField(result, name, value);
    }
    addComputed(result, branch, work);
    return result;
}
const unnamed = (value, { mode })=>mode === 'exclusion' ? value : undefined;
function projectValue(value, node, work) {
    switch(node.kind){
        case 'include':
            return value;
        case 'slice':
            return Array.isArray(value) ? node.slice(value) : value;
        case 'branch':
            return projectInner(value, node, work);
        case 'exclude':
        case 'compute':
            return undefined;
    }
}
/** Arrays are entered at every depth; what is no document is left out when fields are included, and stays when they aren't. */ function projectInner(value, branch, work) {
    if (isDoc(value)) return projectDoc(value, branch, work);
    if (Array.isArray(value)) {
        return value.map((member)=>projectInner(member, branch, work)).filter((member)=>member !== undefined);
    }
    return unnamed(value, work);
}
function addComputed(result, branch, work) {
    for (const [name, node] of branch.children){
        if (!computes(node)) continue;
        const value = node.kind === 'compute' ? node.value(work.root) : madeBranch(result[name], node, work);
        if (value !== undefined) setField(result, name, value);
    }
}
/** A document with calculated fields where there is none; one that is there has them already. */ function madeBranch(value, node, work) {
    if (node.kind !== 'branch' || isDoc(value) || Array.isArray(value)) return value;
    return projectDoc({}, node, work);
}
