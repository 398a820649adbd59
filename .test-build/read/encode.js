/** Rows and their linked rows → JSON bytes. Models with virtuals or getters go through plain objects, all others from bytes to bytes. */ import { JsonBytes } from "./bytes/json-bytes.js";
import { idAt, idsOf, linkTree } from "./bytes/placed.js";
import { findElement } from "./bytes/layout.js";
import { DocumentWriter } from "./bytes/writer.js";
import { fetchLinked } from "./fetch.js";
import { shapeRows } from "./shaping.js";
const idName = Buffer.from('_id');
/** Room for what JSON needs beyond BSON: names of ids, dates, brackets. */ const roomFor = (rows)=>rows.reduce((sum, { length })=>sum + length * 1.25 + 64, 256) | 0;
/** An answer to write into. @throws 413 while writing, when it grows over the limit */ export const answerFor = (rows, most)=>new JsonBytes(roomFor(rows), most);
/** Fetches what the rows link to, by one query a link, and tells how to write each row. */ export async function rowWriter(plan, rows, source, withId = true) {
    if (plan.model.computed) {
        const shaped = await shapeRows(plan, rows, source, withId);
        return (out)=>(at)=>out.json(JSON.stringify(shaped[at]));
    }
    const links = await Promise.all(plan.links.map(async (link)=>[
            link.link,
            await encodedLink(link, rows, source)
        ]));
    const view = {
        fields: plan.fields,
        withId,
        links: linkTree(links)
    };
    return (out)=>{
        const writer = new DocumentWriter(out, view);
        return (at)=>writer.row(rows[at]);
    };
}
/** The linked documents of a link, each encoded once. */ async function encodedLink({ link, rows: plan, identityOnly }, rows, source) {
    const ids = idsOf(rows, link.path);
    const found = ids.length === 0 ? [] : await fetchLinked(plan, ids, source);
    const writer = await rowWriter(plan, found, source, !identityOnly);
    const out = answerFor(found, source.most);
    const write = writer(out);
    const positions = new Map();
    found.forEach((row, at)=>{
        const from = out.length;
        write(at);
        const id = idAt(row, findElement(row, 0, idName));
        if (id !== undefined) positions.set(id, [
            from,
            out.length
        ]);
    });
    return {
        bytes: out.written,
        positions
    };
}
