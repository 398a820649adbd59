/** All operations, in the order of the specification. */ import { aggregates } from "./aggregate.js";
import { documents } from "./documents.js";
import { bulkWrites } from "./bulk.js";
import { caching } from "./cache.js";
import { calls } from "./call.js";
import { csvs } from "./csv.js";
import { events } from "./events.js";
import { health } from "./health.js";
import { login } from "./login.js";
import { oauth } from "./oauth.js";
import { description } from "./openapi.js";
import { pages } from "./pages.js";
import { passwords } from "./passwords.js";
import { models } from "./model.js";
import { queries } from "./query.js";
import { setupData } from "./setup-data.js";
import { setup } from "./setup.js";
import { userGroups } from "./groups.js";
/** Everything but the pages that describe it. */ const described = [
    documents,
    queries,
    aggregates,
    csvs,
    models,
    caching,
    bulkWrites,
    calls,
    events,
    login,
    passwords,
    oauth,
    userGroups,
    setup,
    setupData,
    health
];
export const operationGroups = [
    ...described,
    description(described),
    pages(described)
];
