/** Composition: opens the store, loads the models, joins the parts and serves; closes in reverse. The only place where things are made. */ import { randomBytes } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { makeApp } from "./http/app.js";
import { makeAuthCore } from "./auth/core.js";
import { loginCounters } from "./auth/counters.js";
import { makeFirstAdmin, setupNeeded } from "./auth/first-admin.js";
import { moveGroups } from "./auth/moved-groups.js";
import { makePasswords } from "./auth/password.js";
import { loginChanges } from "./auth/login-changes.js";
import { loginServices } from "./auth/login-services.js";
import { Failure } from "./errors.js";
import { makeCache } from "./cache.js";
import { openDatabase } from "./database.js";
import { makeBus } from "./events/bus.js";
import { makeFeed } from "./events/feed.js";
import { hearModelWrites } from "./events/model-writes.js";
import { watch } from "./events/watch.js";
import { makeLive } from "./live/live.js";
import { makeLog } from "./log.js";
import { makeMail } from "./mail.js";
import { makeShare } from "./async/semaphore.js";
import { throttle } from "./http/throttle.js";
import { makeMatching } from "./read/matching.js";
import { makeSizes } from "./read/sizes.js";
import { builtIn } from "./registry/built-in/index.js";
import { compileModels } from "./registry/compile.js";
import { preload } from "./preload.js";
import { findModelFiles } from "./registry/files.js";
import { fileLoader, loadModelFile } from "./registry/load.js";
import { tellThatWritten, tellWrites } from "./registry/model-writes.js";
import { createIndexes, modelOf } from "./registry/mongoose.js";
import { makeRegistry } from "./registry/registry.js";
import { startWarnings } from "./registry/start-warnings.js";
import { publicUrl } from "./settings/public-url.js";
import { sharedSecret } from "./secret.js";
import { serveSockets } from "./sockets/server.js";
import { faultsOf } from "./settings/config-file.js";
import { blaming, readSettings, SettingsError } from "./settings/read.js";
import { fromWrite } from "./write/mongoose-errors.js";
import { httpLimits, serveHttp } from "./http/server.js";
import { hasTransactions, makeQueues, transactionRunner } from "./transactions.js";
/**
 * Starts a server.
 * @throws SettingsError for bad settings, which a data folder, a database or a port that can't be used are too; ModelFileError for a bad model file
 */ export async function createServer(options = {}) {
    const settings = readSettings(options.environment ?? {}, options);
    const { environment: _, logTarget, clock = ()=>new Date(), elapsed, inMemory = false, ...config } = options;
    const faults = faultsOf(config);
    if (faults.length > 0) throw new SettingsError(faults);
    const log = makeLog(settings.log_level, logTarget);
    const closers = [];
    try {
        const secret = await blaming('DATA_DIR', sharedSecretFor(settings, inMemory));
        const { connection, describes } = await openDatabase(settings, inMemory, closers, log);
        const bus = makeBus(log);
        const replicated = await hasTransactions(connection);
        const registry = await loadModels(settings, connection, hearing(settings, bus, replicated, log));
        for (const warning of startWarnings(settings.models_dir, registry.all))log.warn(warning);
        const moved = await moveGroups({
            registry,
            connection,
            clock,
            isOfJxp: preload() !== undefined
        });
        await createIndexes(registry.all);
        const passwords = makePasswords(settings);
        closers.push(()=>passwords.close());
        const feed = makeFeed({
            connection,
            registry,
            bus,
            log
        }, secret, replicated);
        closers.push(()=>feed.close());
        const counters = loginCounters({
            settings,
            config,
            registry,
            clock,
            log
        });
        const cache = settings.cache.enabled ? makeCache(settings.cache.ttl, bus) : undefined;
        closers.push(()=>Promise.resolve(cache?.close()));
        if (cache !== undefined && feed.shared) await feed.need();
        let port = settings.port;
        const oneAtATime = makeQueues(settings.query_limits.max_time_ms);
        const url = ()=>publicUrl(settings, port);
        const time = {
            clock,
            elapsed: elapsed ?? (()=>performance.now())
        };
        const parts = {
            registry,
            settings,
            secret,
            passwords,
            bus,
            counters,
            ...time,
            oneAtATime,
            publicUrl: url
        };
        const core = makeAuthCore(parts);
        // the embedded store of this process has no other server
        if (replicated && settings.mongodb_url !== undefined) closers.push(watch(connection, log, loginChanges(core)));
        const logins = loginServices(core, config, makeMail(settings), log);
        const matching = makeMatching();
        closers.push(()=>matching.close());
        const live = makeLive({
            auth: logins.auth,
            bus,
            feed,
            log,
            matching,
            limits: settings.websocket
        });
        closers.push(()=>Promise.resolve(live.end()));
        const services = {
            settings,
            config,
            registry,
            connection,
            log,
            bus,
            feed,
            live,
            sizes: makeSizes(bus, clock),
            cache,
            passwords,
            ...logins,
            setupToken: setupTokenFor(settings),
            clock,
            inTransaction: transactionRunner(connection, replicated, settings.query_limits.max_time_ms),
            shares: sharesOf(connection, settings),
            oneAtATime,
            publicUrl: url
        };
        await configuredAdmin(services);
        const requests = throttle(settings, config.throttle_stores?.requests);
        const app = makeApp(services, requests);
        const { http, close } = await blaming(portOrHost, serveHttp(app, settings, limitsFor(settings)));
        port = http.address().port;
        closers.push(close);
        closers.push(serveSockets(http, services, requests).close);
        log.info('started', {
            url: urlOf(http),
            database: describes,
            models: registry.served.length
        });
        closers.push(()=>Promise.resolve(log.info('stopping')));
        closers.unshift(()=>Promise.resolve(log.info('stopped')));
        let closed;
        return {
            url: urlOf(http),
            settings,
            http,
            services,
            banner: [
                ...banner(urlOf(http), describes, services),
                ...moved
            ],
            close: ()=>closed ??= closeAll(closers)
        };
    } catch (error) {
        await closeAll(closers).catch(()=>undefined);
        throw error;
    }
}
const sharedSecretFor = async (settings, inMemory)=>inMemory ? settings.shared_secret ?? randomBytes(32).toString('base64url') : sharedSecret(settings);
/** An answer may come after the time limits of several hooks, one after the other: connections wait for it. */ const limitsFor = ({ query_limits })=>({
        ...httpLimits,
        silence: Math.min(largestTimer, Math.max(httpLimits.silence, 5 * query_limits.max_time_ms))
    });
const largestTimer = 2_147_483_647;
/** Whose fault it is that the server can't listen. */ const portOrHost = (error)=>[
        'EADDRINUSE',
        'EACCES'
    ].includes(error.code ?? '') ? 'PORT' : 'HOST';
/** Closes everything, in reverse. A database that has gone away in the meantime is not waited for beyond the patience. */ async function closeAll(closers) {
    const late = later(patience, undefined, {
        ref: false
    });
    const failed = [];
    for (const close of closers.splice(0).reverse())await Promise.race([
        close().catch((error)=>failed.push(error)),
        late
    ]);
    if (failed.length > 0) throw failed[0];
}
/** Milliseconds; more than what requests under way get. */ const patience = 12_000;
/** Lists may take one of five connections to the database, pipelines as many. */ function sharesOf(connection, { query_limits }) {
    // 0 is no limit
    const atOnce = Math.ceil((connection.getClient().options.maxPoolSize || 50) / 5);
    const share = ()=>makeShare(atOnce, query_limits.max_time_ms);
    return {
        lists: share(),
        pipelines: share()
    };
}
async function loadModels(settings, connection, hear) {
    const files = await findModelFiles(settings.models_dir);
    const load = fileLoader();
    const own = [];
    // one after the other: files may load each other, and would find a file that is being loaded half done
    for (const file of files)own.push(await loadModelFile(load, file));
    const registry = makeRegistry(compileModels([
        ...own,
        ...builtIn(new Set(own.map(({ name })=>name)))
    ], connection, {
        limit: settings.query_limits.max_time_ms,
        hear
    }));
    preload()?.serve(registry.all.map((entry)=>({
            ...entry,
            model: modelOf(entry)
        })));
    return registry;
}
/** What models write by themselves: told as events where the database has no change streams, else to the cache, which can't wait for them. */ function hearing({ cache }, bus, replicated, log) {
    if (replicated) return cache.enabled ? (schema, entry)=>tellThatWritten(schema, ()=>bus.touched(entry())) : undefined;
    const listener = hearModelWrites(bus, log);
    return (schema, entry)=>tellWrites(schema, entry, listener);
}
/** In production on a public address `/setup` needs a token; it is made when none is set. */ function setupTokenFor(settings) {
    const loopback = settings.host === 'localhost' || settings.host === '::1' || settings.host.startsWith('127.');
    if (!settings.production || loopback) return undefined;
    return settings.setup_token ?? randomBytes(18).toString('base64url');
}
/** `ADMIN_EMAIL` and `ADMIN_PASSWORD` make the first admin when there is no user. */ async function configuredAdmin({ settings, registry, passwords, clock }) {
    const { email, password, name } = settings.admin;
    if (email !== undefined && password !== undefined && await setupNeeded(registry)) await makeFirstAdmin(registry, passwords, clock, {
        email,
        password,
        name
    }).catch((error)=>{
        const failure = fromWrite(error);
        if (!(failure instanceof Failure)) throw error;
        if (failure.status === 400) throw new SettingsError([
            `ADMIN_EMAIL: the first admin does not fit the user model: ${failure.reason}`
        ]);
        // another server that starts at the same time makes it
        if (failure.status !== 409) throw failure;
    });
}
function urlOf(http) {
    const { address, port, family } = http.address();
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
/** A token that the operator has set is known to them. */ const shown = (token, { setup_token })=>setup_token === undefined ? token : 'SETUP_TOKEN';
function banner(url, database, { registry, feed, setupToken, settings }) {
    return [
        `Dossier listens on ${url}`,
        `Database: ${database}`,
        `Models: ${registry.served.map(({ name })=>name).join(', ')}`,
        ...feed.shared ? [] : [
            'Realtime: this database has no change streams, so each server tells only of its own writes'
        ],
        ...setupToken === undefined ? [] : [
            `POST /setup needs the header x-setup-token: ${shown(setupToken, settings)}`
        ]
    ];
}
