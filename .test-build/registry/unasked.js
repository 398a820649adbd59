/** The paths with `select: false`, which answers show only when `fields` names them, as in Mongoose's own queries. */ import { innerOf } from "./type-at.js";
/** @returns dotted paths, through nested schemas and lists of them */ export const unaskedOf = (schema)=>Object.entries(schema.paths).flatMap(([path, type])=>{
        if (isUnasked(type)) return [
            path
        ];
        const inner = innerOf(type).schema;
        return inner === undefined ? [] : unaskedOf(inner).map((below)=>`${path}.${below}`);
    });
const isUnasked = ({ options })=>options.select === false;
