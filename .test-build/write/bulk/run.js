/** Runs checked operations in their order, neighbours of one kind in one command, and stops at the first fault, telling what was done. */ import { allOf } from "../../language/merge.js";
import { checkLinks } from "../check-links.js";
import { withoutLastAdmin } from "../last-admin.js";
import { refuseReferenced } from "../referenced.js";
import { Turns } from "../turns.js";
import { noCounts } from "./counts.js";
import { faultAt } from "./fault.js";
import { linkedValues } from "./linked-values.js";
import { readOperations } from "./operations.js";
import { stepFor } from "./step.js";
import { write } from "./write.js";
/** POST /bulkwrite. @throws 400, 403 before anything is written; later faults name the operation and carry the counts so far */ export async function bulkWrite(context) {
    const operations = await readOperations(context);
    await checkLinks(context, operations.flatMap(linkedValues));
    const { steps, fault } = await stepsFor(context, operations);
    const counts = noCounts();
    for (const run of runsOf(steps))await writeRun(context, run, counts);
    if (fault !== undefined) throw faultAt(fault.error, steps.length, counts);
    return counts;
}
/** The steps before the first operation with a fault in its values. */ async function stepsFor(context, operations) {
    const steps = [];
    const turns = new Turns();
    for (const [at, operation] of operations.entries()){
        await turns.others();
        try {
            steps.push(await stepFor(context, operation, at));
        } catch (error) {
            return {
                steps,
                fault: {
                    error
                }
            };
        }
    }
    return {
        steps
    };
}
/** Steps that are looked at one by one: something is decided between them and their neighbours. */ const isAlone = ({ takesAdmins, unfit, refusal })=>takesAdmins || unfit !== undefined || refusal !== undefined;
/** Neighbours of one kind. */ function runsOf(steps) {
    const runs = [];
    let last;
    for (const step of steps){
        const together = last !== undefined && last.kind === step.kind && !isAlone(last) && !isAlone(step);
        if (together) runs.at(-1)?.push(step);
        else runs.push([
            step
        ]);
        last = step;
    }
    return runs;
}
async function writeRun(context, run, counts) {
    const [first] = run;
    if (first === undefined) return;
    try {
        const send = async ()=>write(context, await allowed(context, run), counts);
        const matched = await (first.takesAdmins ? withoutLastAdmin(context, first.filter, send) : send());
        if (matched === 0 && first.unfit !== undefined) throw faultAt(first.unfit, first.at, counts);
    } catch (error) {
        throw faultAt(error, first.at, counts);
    }
}
/** A deletion that may be refused, checked; one of a single document deletes the one that was checked. @throws 409 */ async function allowed(context, run) {
    const [step] = run;
    if (step?.refusal === undefined) return run;
    const { forGood } = step.refusal;
    const ids = await refuseReferenced(context, step.filter, {
        forGood,
        many: step.many
    });
    return step.many ? run : [
        {
            ...step,
            filter: allOf([
                {
                    _id: {
                        $in: ids
                    }
                },
                step.filter
            ])
        }
    ];
}
