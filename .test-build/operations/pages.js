/** The built-in pages: HTML that the server renders, under a strict content policy. */ import { decide, maySee } from "../access/decide.js";
import { setupNeeded } from "../auth/first-admin.js";
import { unknownModel } from "../errors.js";
import { guidePage, guides } from "../pages/guides.js";
import { homePage } from "../pages/home.js";
import { modelPage } from "../pages/models.js";
import { referencePage } from "../pages/reference.js";
import { style } from "../pages/style.js";
import { viewerFile, viewerPage } from "../pages/viewer.js";
import { describe } from "../registry/describe.js";
import { textOf } from "../openapi/shapes.js";
import { text } from "./answer.js";
import { open } from "./operation.js";
const nothingElse = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const readOnly = `${nothingElse}; style-src 'self'; img-src data:`;
/** The viewer runs its own script, and sends what the reader asks it to, to this server alone. */ const interactive = `${nothingElse}; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'`;
const asHtml = (body, policy = readOnly)=>text('text/html; charset=utf-8', body, {
        'Content-Security-Policy': policy
    });
const row = (name, path, summary, run, type = 'text/html')=>({
        name,
        http: {
            method: 'GET',
            path
        },
        summary,
        effect: 'read',
        access: open('documentation; it names only models on which the caller has some right'),
        answers: {
            200: textOf(type)
        },
        run
    });
/** @param groups the operations that the reference lists */ export const pages = (groups)=>({
        title: 'Pages',
        operations: [
            row('pages.home', '/', 'What this server is', home),
            row('pages.reference', '/docs', 'The reference', async ()=>asHtml(referencePage(groups, await guides()))),
            row('pages.style', '/docs/style.css', 'The style of the pages', ()=>text('text/css; charset=utf-8', style), 'text/css'),
            row('pages.guide', '/docs/guides/:guide', 'A guide', async ({ params })=>asHtml(await guidePage(params['guide'] ?? ''))),
            row('pages.model', '/docs/models/:name', 'The page of a model', model),
            row('pages.viewer', '/docs/api', 'The interactive reference', ()=>asHtml(viewerPage(), interactive)),
            row('pages.viewerFile', '/docs/api/:file', 'Files of the interactive reference', file, '*/*')
        ]
    });
async function home({ services, principal }) {
    const { registry, publicUrl } = services;
    return asHtml(homePage({
        models: registry.served.filter((entry)=>decide(principal, 'r', entry) !== undefined),
        setupNeeded: await setupNeeded(registry),
        email: principal.user?.email,
        url: publicUrl()
    }));
}
function model({ services, principal, params }) {
    const entry = services.registry.get(params['name'] ?? '');
    if (!maySee(principal, entry)) throw unknownModel(entry.name);
    return asHtml(modelPage(describe(entry)));
}
async function file({ params }) {
    const { type, body } = await viewerFile(params['file'] ?? '');
    return text(type, body, {
        'Cache-Control': 'public, max-age=3600'
    });
}
