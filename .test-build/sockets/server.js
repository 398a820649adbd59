/** The WebSocket door: upgrade, origin, an orderly end. The door to ws. */ import { WebSocketServer } from 'ws';
import { identify } from "../auth/identify.js";
import { credentialsOf } from "../auth/methods.js";
import { badRequest, forbidden, unknownPath, Failure, internal } from "../errors.js";
import { refuseSocket } from "../http/server.js";
import { queryOf } from "../http/query-string.js";
import { addressReader, throttleUpgrade } from "../http/throttle.js";
import { makeActions } from "./actions.js";
import { Client, closeCodes } from "./client.js";
const path = '/websocket';
const largestMessage = 65_536;
/** Milliseconds that a client has to answer a close frame. */ const closeTimeout = 1000;
/** @param throttle counts upgrades as requests */ export function serveSockets(http, services, throttle) {
    // the types of ws do not know `closeTimeout` yet
    const options = {
        noServer: true,
        maxPayload: largestMessage,
        perMessageDeflate: false,
        clientTracking: false,
        closeTimeout
    };
    const server = new WebSocketServer(options);
    const sockets = new Set();
    const shared = {
        live: services.live,
        actions: makeActions(services)
    };
    const addressOf = addressReader(services.settings.trust_proxy);
    http.on('upgrade', (req, socket, head)=>{
        socket.on('error', ()=>socket.destroy());
        const address = addressOf(req);
        const welcomed = throttleUpgrade(throttle, req).then(()=>welcome(req, address, services));
        void welcomed.then((signedIn)=>server.handleUpgrade(req, socket, head, (webSocket)=>{
                sockets.add(webSocket);
                webSocket.on('close', ()=>sockets.delete(webSocket));
                begin({
                    socket: webSocket,
                    wire: socket,
                    address
                }, shared, signedIn);
            }), (error)=>refuseSocket(socket, error instanceof Failure ? error : internal(error)));
    });
    return {
        async close () {
            services.live.end();
            await Promise.all([
                ...sockets
            ].map((socket)=>new Promise((done)=>socket.once('close', ()=>done()))));
        }
    };
}
/** @returns who the credentials of the upgrade are of; undefined without any @throws 400, 401, 403, 404 */ async function welcome(req, address, services) {
    const { url = '' } = req;
    if (url.split('?', 1)[0] !== path) throw unknownPath();
    if (req.method !== 'GET') throw badRequest('a WebSocket begins with GET');
    const origins = services.settings.cors.origins;
    const { origin } = req.headers;
    if (origin !== undefined && !origins.includes('*') && !origins.includes(origin)) throw forbidden('this origin may not connect');
    return identified(credentialsOf(req, queryOf(url), address), services);
}
async function identified(source, services) {
    const verify = ()=>identify(source, services.auth);
    const principal = await verify();
    services.live.admit(source.address, principal.user?.id);
    return principal.user === undefined ? undefined : {
        principal,
        verify
    };
}
function begin(ends, shared, signedIn) {
    try {
        const { listener } = new Client(ends, shared);
        if (signedIn !== undefined) listener.signIn(signedIn.principal, signedIn.verify);
    } catch  {
        // the server has begun to stop while this one came in
        ends.socket.close(closeCodes.goingAway);
    }
}
