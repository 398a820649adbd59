/** Who may set up: no page of another origin, and in production on a public address only who knows the token. */ import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { forbidden } from "../errors.js";
import { digest } from "./tokens.js";
/**
 * Without `API_URL` a page's own name is no proof: whoever owns a name may let it lead to this machine (DNS rebinding).
 * @throws 403 for a request that a page of another origin made
 */ export function checkOrigin({ services, headers }) {
    const { origin, host } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, host, services.settings.api_url)) throw forbidden('setup cannot be done from another origin; a server with a name is told it by API_URL');
}
function isOwnOrigin(origin, host, api) {
    if (!URL.canParse(origin)) return false;
    const { host: from, hostname, origin: whole } = new URL(origin);
    return api === undefined ? from === host && isAddress(hostname) : whole === new URL(api).origin;
}
/** `localhost`, or an address as a URL has it. */ const isAddress = (hostname)=>hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
/** @throws 403 without the right `x-setup-token`, where one is wanted */ export function checkSetupToken({ services, headers }) {
    const { setupToken } = services;
    if (setupToken === undefined) return;
    const given = headers['x-setup-token'];
    if (typeof given !== 'string' || !timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(setupToken)))) throw forbidden('setup needs the header x-setup-token');
}
