/** The table of window functions. */ import { accumulators } from "../accumulators/index.js";
import { accumulated } from "./accumulated.js";
import { rankFunctions } from "./ranks.js";
import { seriesFunctions } from "./series.js";
const notInWindows = new Set([
    '$mergeObjects',
    '$accumulator'
]);
/** Window functions by name. */ export const windowFunctions = new Map([
    ...[
        ...accumulators
    ].filter(([name])=>!notInWindows.has(name)).map(([name, read])=>[
            name,
            accumulated(read)
        ]),
    ...rankFunctions,
    ...seriesFunctions
]);
