/** Lists as comma-separated text. */ import { listParameters } from "../language/parameters.js";
import { textOf } from "../openapi/shapes.js";
import { csv as csvOf } from "../read/csv.js";
import { text } from "./answer.js";
import { letter } from "./operation.js";
export const csvs = {
    title: 'CSV',
    operations: [
        {
            name: 'documents.export',
            http: {
                method: 'GET',
                path: '/csv/:model'
            },
            summary: 'Lists documents as comma-separated text',
            effect: 'read',
            access: letter('r'),
            hook: 'csv',
            input: {
                query: listParameters
            },
            answers: {
                200: textOf('text/csv')
            },
            run: csv
        }
    ]
};
async function csv(context) {
    const { body, next } = await csvOf(context);
    return text('text/csv; charset=utf-8', body, {
        'Content-Disposition': `attachment; filename="${context.model.name}.csv"`,
        // RFC 8288
        ...next === undefined ? {} : {
            Link: `<${next}>; rel="next"`
        }
    });
}
