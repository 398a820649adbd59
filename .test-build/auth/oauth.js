/** Logging in at other providers: the browser is sent there and comes back, to `success_uri` with a JWT or to `fail_uri` with a code. */ import { Failure, unknownProvider } from "../errors.js";
import { providersOf } from "../settings/oauth.js";
import { makeUserOf, NoUser } from "./identities.js";
import { makeOAuthStates } from "./oauth-state.js";
import { profileFrom } from "./oauth-profile.js";
import { runStrategy, StateNotValid } from "./oauth-strategy.js";
/** What a provider may say (RFC 6749, 4.1.2.1); anything else becomes `provider_error`. */ const providerCodes = new Set([
    'access_denied',
    'invalid_request',
    'unauthorized_client',
    'unsupported_response_type',
    'invalid_scope',
    'server_error',
    'temporarily_unavailable'
]);
export function makeOAuth(core, config, log) {
    const providers = providersOf(config);
    const callbacks = ()=>`${core.publicUrl()}/login/oauth/callback`;
    const states = makeOAuthStates(core.secret, callbacks(), core.useOnce, core.clock);
    const userOf = makeUserOf(core);
    const get = (name)=>{
        const provider = providers.get(name);
        if (provider === undefined) throw unknownProvider(name);
        return provider;
    };
    const failed = (name, error)=>withQuery(config?.fail_uri, {
            error,
            provider: name
        });
    /** The JWT of whom the provider says it is. */ const comeBack = async (name, code, state, cookies)=>{
        const provider = get(name);
        const verify = (given)=>states.end(name, given, cookies);
        const store = {
            store: ()=>'',
            verify
        };
        const outcome = await runStrategy(provider, `${callbacks()}/${name}`, store, {
            code,
            state
        }).catch(providerFault);
        const profile = 'profile' in outcome ? profileFrom(outcome.profile, provider) : undefined;
        if (profile === undefined) throw new NoIdentity();
        const user = await userOf(name, provider, profile);
        const now = await core.standing(user);
        if (now === undefined) throw new NoUser('user_deleted');
        return core.jwts.sign('oauth', user, now.epoch);
    };
    return {
        async start (name) {
            const provider = get(name);
            let cookie;
            const store = {
                store (verifier) {
                    const begun = states.begin(name, verifier);
                    cookie = begun.cookie;
                    return begun.state;
                },
                verify: ()=>Promise.resolve(undefined)
            };
            const outcome = await runStrategy(provider, `${callbacks()}/${name}`, store, {});
            return {
                url: 'url' in outcome ? outcome.url : failed(name, 'server_error'),
                cookie
            };
        },
        async finish (name, { code, state, error }, cookies) {
            get(name);
            const cookie = typeof state === 'string' ? states.forget(state) : undefined;
            if (error !== undefined) return {
                url: failed(name, providerCodes.has(error) ? String(error) : 'provider_error'),
                cookie
            };
            if (typeof code !== 'string' || code === '' || typeof state !== 'string' || state === '') return {
                url: failed(name, 'invalid_state'),
                cookie
            };
            try {
                const token = await comeBack(name, code, state, cookies);
                return {
                    url: withQuery(config?.success_uri, {
                        token
                    }),
                    cookie
                };
            } catch (thrown) {
                const reason = codeOf(thrown);
                if (thrown instanceof ProviderFault) log.warn('a provider failed', {
                    provider: name,
                    reason: told(thrown.cause)
                });
                else if (reason === 'server_error') log.error('a login at a provider failed', thrown);
                return {
                    url: failed(name, reason),
                    cookie
                };
            }
        }
    };
}
/** The profile names nobody. */ class NoIdentity extends Error {
}
/** The provider did not answer as it should, or in time. */ class ProviderFault extends Error {
}
function providerFault(thrown) {
    throw thrown instanceof StateNotValid || thrown instanceof Failure ? thrown : new ProviderFault('the provider failed', {
        cause: thrown
    });
}
function codeOf(thrown) {
    if (thrown instanceof StateNotValid) return 'invalid_state';
    if (thrown instanceof NoIdentity) return 'no_identity';
    if (thrown instanceof NoUser) return thrown.code;
    return thrown instanceof ProviderFault ? 'provider_error' : 'server_error';
}
/** The kind of an error; its words may hold what the provider sent. */ const told = (cause)=>cause instanceof Error ? cause.name : typeof cause;
/** Adds to a URL's query, before its fragment. */ function withQuery(uri, values) {
    const [before = '', ...fragment] = (uri ?? '/').split('#');
    const joint = before.includes('?') ? '&' : '?';
    return [
        `${before}${joint}${new URLSearchParams(values).toString()}`,
        ...fragment
    ].join('#');
}
