/** What can be used once: whoever comes second is told so, on whichever server. */ import { modelOf } from "../registry/mongoose.js";
import { asked, isTaken } from "./asked.js";
import { digest } from "./tokens.js";
export function makeUseOnce(registry) {
    const { collection } = modelOf(registry.internal('_used'));
    return (what, until)=>asked(async ()=>{
            try {
                await collection.insertOne({
                    _id: digest(what),
                    until
                });
                return true;
            } catch (error) {
                if (isTaken(error)) return false;
                throw error;
            }
        });
}
