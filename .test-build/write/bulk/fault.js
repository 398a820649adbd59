/** A fault in the middle of a bulk write, as the caller hears of it. */ import { Failure, internal } from "../../errors.js";
import { fromWrite } from "../mongoose-errors.js";
/** The failure with the operation's place and what was done before it; one that has its place already keeps it. */ export function faultAt(thrown, at, counts) {
    if (thrown instanceof Failure && 'index' in thrown.details) return thrown;
    const known = fromWrite(thrown);
    const failure = known instanceof Failure ? known : internal(known);
    const { status, message, reason, errors, headers } = failure;
    return new Failure(status, message, `operation ${at}: ${reason}`, {
        ...errors === undefined ? {} : {
            errors
        },
        headers,
        cause: failure.cause,
        details: {
            index: at,
            data: counts
        }
    });
}
