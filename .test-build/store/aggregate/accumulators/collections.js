/** Accumulators that collect: lists, sets, merged objects, the first and the last value. */ import { isDoc } from "../../values/kind.js";
import { mergeInto } from "../expressions/objects.js";
import { Keys } from "../keys.js";
export const push = (memory)=>{
    const values = [];
    return {
        add: (value)=>{
            if (value === undefined) return;
            memory.keep(value);
            values.push(value);
        },
        result: ()=>values.slice()
    };
};
export const addToSet = (memory, context)=>{
    const values = new Map();
    const keys = new Keys(context);
    return {
        add: (value)=>{
            if (value === undefined) return;
            const key = keys.of(value);
            if (values.has(key)) return;
            memory.take(memory.sizeOf(value) + key.length);
            values.set(key, value);
        },
        result: ()=>[
                ...values.values()
            ]
    };
};
export const mergeObjects = (memory)=>{
    const merged = {};
    return {
        add: (value)=>{
            if (isDoc(value)) memory.keep(value);
            mergeInto(merged, value, '$mergeObjects');
        },
        result: ()=>({
                ...merged
            })
    };
};
export const first = ()=>{
    let found;
    return {
        add: (value)=>{
            found ??= {
                value
            };
        },
        result: ()=>found?.value ?? null
    };
};
export const last = ()=>{
    let found;
    return {
        add: (value)=>{
            found = value;
        },
        result: ()=>found ?? null
    };
};
