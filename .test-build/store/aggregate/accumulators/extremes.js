/** Accumulators that keep the smallest or the greatest values; null and missing are passed over. */ import { orderIn } from "../comparing.js";
import { isNullish } from "../expressions/arguments.js";
const extreme = (sign)=>(_memory, context)=>{
        const order = orderIn(context);
        let best;
        return {
            add: (value)=>{
                if (isNullish(value)) return;
                if (best === undefined || order(value, best) * sign < 0) best = value;
            },
            result: ()=>best ?? null
        };
    };
export const min = extreme(1);
export const max = extreme(-1);
const extremes = (sign)=>(wanted)=>(memory, context)=>{
            const order = orderIn(context);
            let values = [];
            const cut = ()=>values.sort((a, b)=>order(a, b) * sign).slice(0, wanted);
            return {
                add: (value)=>{
                    if (isNullish(value)) return;
                    memory.keep(value);
                    values.push(value);
                    if (values.length < wanted * 2 + 64) return;
                    const dropped = values;
                    values = cut();
                    memory.drop(dropped.slice(wanted));
                },
                result: cut
            };
        };
export const minN = extremes(1);
export const maxN = extremes(-1);
