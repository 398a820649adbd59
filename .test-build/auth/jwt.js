/** JWTs: signed and read, one purpose each. HS256 and nothing else. The door to jsonwebtoken. */ import { createHmac, randomUUID } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { isId } from "../registry/cast.js";
const audience = 'dossier';
/** Seconds between a provider's redirect and the login that it leads to. */ const oauthSeconds = 60;
const longest = 2000;
export function makeJwts(secret, { jwt_expiry, recovery_expiry }, clock) {
    const key = createHmac('sha256', secret).update('jwt').digest();
    const lifetimes = {
        login: jwt_expiry,
        recovery: recovery_expiry,
        oauth: oauthSeconds
    };
    const now = ()=>Math.floor(clock().getTime() / 1000);
    return {
        sign (purpose, sub, epoch, email) {
            const iat = now();
            const times = {
                iat,
                exp: iat + lifetimes[purpose]
            };
            const sent = email === undefined ? {} : {
                email
            };
            const claims = {
                sub,
                purpose,
                aud: audience,
                epoch,
                jti: randomUUID(),
                ...times,
                ...sent
            };
            return jsonwebtoken.sign(claims, key, {
                algorithm: 'HS256'
            });
        },
        read (text) {
            if (text.length > longest) return undefined;
            const claims = verified(text, key, now());
            if (claims === undefined) return undefined;
            const { sub, purpose, epoch, jti, iat, exp, email } = claims;
            if (!isId(sub) || !isPurpose(purpose, lifetimes) || typeof jti !== 'string' || jti === '') return undefined;
            if (!isWhole(epoch) || !isWhole(iat) || !isWhole(exp) || exp - iat > lifetimes[purpose]) return undefined;
            const sent = typeof email === 'string' ? email : undefined;
            return {
                id: jti,
                user: sub,
                purpose,
                epoch,
                expires: new Date(exp * 1000),
                email: sent
            };
        }
    };
}
/**
 * The caller checks expiry, so that an expired JWT is distinct from a forged one. A JWT that names extensions in `crit` is refused,
 * because this server understands none (RFC 7515, 4.1.11).
 */ function verified(text, key, clockTimestamp) {
    try {
        const options = {
            algorithms: [
                'HS256'
            ],
            audience,
            clockTimestamp,
            ignoreExpiration: true,
            complete: true
        };
        const { header, payload } = jsonwebtoken.verify(text, key, options);
        return typeof payload === 'object' && !('crit' in header) ? payload : undefined;
    } catch  {
        return undefined;
    }
}
const isWhole = (value)=>Number.isSafeInteger(value);
const isPurpose = (value, all)=>typeof value === 'string' && Object.hasOwn(all, value);
