/** The fields of a document by dotted path → the JSON Schema of the document. */ import { orNull } from "./values.js";
export const makeNode = ()=>({
        fields: new Map(),
        required: new Set(),
        refusesNull: false,
        schema: undefined
    });
const optional = {
    needed: false,
    refusesNull: false
};
export function place(root, parts, schema, presence = optional) {
    let node = root;
    for (const part of parts){
        if (presence.needed) node.required.add(part);
        node.refusesNull ||= presence.refusesNull;
        const inner = node.fields.get(part) ?? makeNode();
        node.fields.set(part, inner);
        node = inner;
    }
    node.schema = schema;
}
/** The JSON Schema of a node. Null in the place of a nested object stands for null in each of its fields. */ export function schemaOf({ fields, required, refusesNull, schema }) {
    if (schema !== undefined && fields.size === 0) return schema;
    const document = {
        type: 'object',
        ...required.size === 0 ? {} : {
            required: [
                ...required
            ]
        },
        properties: Object.fromEntries([
            ...fields
        ].map(([name, node])=>[
                name,
                schemaOf(node)
            ]))
    };
    return {
        ...schema,
        ...refusesNull ? document : orNull(document)
    };
}
