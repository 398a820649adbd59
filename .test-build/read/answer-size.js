/** Whether rows that are still being read fit an answer: so that reading stops where it is known that they don't. */ import { answerTooLarge } from "../errors.js";
import { JsonBytes } from "./bytes/json-bytes.js";
import { DocumentWriter } from "./bytes/writer.js";
/** Bytes of one row's JSON that there is room for before it grows. */ const roomAtFirst = 16_384;
/**
 * Rows that together are small as they are stored are taken as they are; from there on each one's JSON is measured, since stored
 * values can be larger than what is shown of them.
 * @param most bytes of an answer
 */ export class HeldRows {
    rows = [];
    #fields;
    #most;
    #stored = 0;
    #measured = 0;
    #shown = 0;
    constructor({ fields }, most){
        this.#fields = fields;
        this.#most = most;
    }
    /** @throws 413 when the rows are more than an answer may hold */ add(rows) {
        for (const row of rows){
            this.rows.push(row);
            this.#stored += row.length;
        }
        if (this.#stored > this.#most) this.#measure();
    }
    #measure() {
        const out = new JsonBytes(roomAtFirst, this.#most);
        const writer = new DocumentWriter(out, {
            fields: this.#fields,
            withId: true,
            links: undefined
        });
        for (const row of this.rows.slice(this.#measured)){
            writer.row(row);
            this.#shown += out.length;
            if (this.#shown > this.#most) throw answerTooLarge(this.#most);
            out.remove(0, out.length);
        }
        this.#measured = this.rows.length;
    }
}
