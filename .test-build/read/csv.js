/** `/csv`: a list as comma-separated text. A page is held and sent whole, an export of all rows is streamed. The door to json2csv. */ import { Parser } from '@json2csv/plainjs';
import { answerTooLarge } from "../errors.js";
import { baseUrl } from "../settings/public-url.js";
import { columnsOf, objectCell, textCell, valueAt } from "./csv-columns.js";
import { batchesOf, batchSize, plainRows } from "./csv-rows.js";
import { fetchPage, sourceOf } from "./fetch.js";
import { pageUrl } from "./next.js";
import { planList } from "./plan.js";
/** Bytes of an export that are held before anything is sent: a smaller one is sent with its length. */ const maxHeld = 256 * 1024;
/** A page, or all rows where neither `limit` nor `page` is given. @throws 413 when a page is larger than an answer may be */ export async function csv(context) {
    const plan = await planList(context, {
        populate: false,
        exports: true
    });
    const { limit } = plan.page;
    return limit === undefined ? {
        body: await exportOf(context, plan),
        next: undefined
    } : pageOf(context, plan, limit);
}
function pageOf(context, plan, limit) {
    const { services, signal, url } = context;
    return services.shares.lists(signal, async ()=>{
        const source = sourceOf(context);
        const fetched = await fetchPage(plan, source);
        const rows = fetched.slice(0, limit);
        const { header, linesOf } = writerOf(plan);
        const pieces = [
            header
        ];
        let bytes = Buffer.byteLength(header);
        for(let at = 0; at < rows.length; at += batchSize){
            const lines = linesOf(await plainRows(plan, rows.slice(at, at + batchSize), source));
            pieces.push(lines);
            bytes += Buffer.byteLength(lines);
            if (bytes > source.most) throw answerTooLarge(source.most);
        }
        const next = fetched.length > limit ? pageUrl(url, plan.page.page + 1, baseUrl(services.settings)) : undefined;
        return {
            body: pieces.join(''),
            next
        };
    });
}
/** Reads the beginning, so that most faults are found before the answer has begun. Each batch waits for its turn at the database. */ async function exportOf(context, plan) {
    const pieces = inTurn(context, piecesOf(context, plan));
    let held = '';
    for(let next = await pieces.next(); next.done !== true; next = await pieces.next()){
        held += next.value;
        if (held.length > maxHeld) return resumed(held, pieces);
    }
    return held;
}
async function* inTurn({ services, signal }, pieces) {
    const next = ()=>services.shares.lists(signal, ()=>pieces.next());
    try {
        for(let piece = await next(); piece.done !== true; piece = await next())yield piece.value;
    } finally{
        await pieces.return();
    }
}
/** What is held, and then the rest. The generator has been started, since returning one that has not would leave the cursor open. */ async function resumed(held, pieces) {
    const beginning = [
        held
    ];
    const all = async function*() {
        try {
            yield '';
            // not kept while the rest is sent
            yield beginning.pop() ?? '';
            yield* pieces;
        } finally{
            await pieces.return();
        }
    }();
    await all.next();
    return all;
}
async function* piecesOf(context, plan) {
    const { header, linesOf } = writerOf(plan);
    yield header;
    for await (const rows of batchesOf(context, plan))yield linesOf(rows);
}
function writerOf(plan) {
    const columns = columnsOf(plan.model, plan.fields, plan.scored);
    const parser = new Parser({
        fields: columns.map((label)=>{
            const parts = label.split('.');
            return {
                label,
                value: (row)=>valueAt(row, parts)
            };
        }),
        formatters: {
            string: textCell,
            object: objectCell
        },
        header: false,
        eol: '\r\n',
        includeEmptyRows: true
    });
    return {
        header: `${columns.map(textCell).join(',')}\r\n`,
        linesOf: (rows)=>`${parser.parse([
                ...rows
            ])}\r\n`
    };
}
