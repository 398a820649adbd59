/** One login at one provider by passport-oauth2, its requests bounded in time and size. The door to passport. */ import { Passport } from 'passport';
import OAuth2Strategy from 'passport-oauth2';
/** Milliseconds for all requests to a provider together. */ const patience = 9000;
const largest = 1024 * 1024;
class ProviderStrategy extends OAuth2Strategy {
    #profileAt;
    constructor(provider, callback, store, signal){
        super({
            authorizationURL: provider.auth_uri,
            tokenURL: provider.token_uri,
            clientID: provider.app_id,
            clientSecret: provider.app_secret,
            callbackURL: callback,
            scope: typeof provider.scope === 'string' ? provider.scope : [
                ...provider.scope ?? []
            ],
            store: storeFor(store),
            pkce: true
        }, // wrapped, because passport takes a profile that is null for a refusal
        (_token, _refresh, profile, done)=>done(null, {
                profile
            }));
        this.#profileAt = provider.api_uri;
        const client = this.client;
        client.useAuthorizationHeaderforGET(true);
        client._request = (method, url, headers, body, _token, answered)=>{
            bounded(method, url, headers, body, signal).then(({ status, text })=>status === 200 ? answered(null, text) : answered({
                    statusCode: status,
                    data: text
                }), ()=>answered({
                    statusCode: 0
                }));
        };
    }
    get client() {
        return this._oauth2;
    }
    userProfile(token, done) {
        this.client.get(this.#profileAt, token, (error, body)=>{
            if (error !== null) return done(new Error(`the provider answered ${error.statusCode}`));
            try {
                return done(null, JSON.parse(body ?? ''));
            } catch  {
                return done(new Error('the profile is not JSON'));
            }
        });
    }
}
/** passport-oauth2 looks at the number of parameters: five to store, four to verify. */ function storeFor(states) {
    return {
        store: (_req, verifier, _state, _meta, done)=>done(null, states.store(verifier)),
        verify: (_req, state, _meta, done)=>{
            states.verify(state).then((verifier)=>done(null, verifier ?? false, {
                    message: 'state'
                }), (error)=>done(error instanceof Error ? error : new Error(String(error))));
        }
    };
}
/** No redirects, no more than the largest size, not after the signal. */ async function bounded(method, url, headers, body, signal) {
    const response = await fetch(url, {
        method,
        headers: {
            ...headers,
            Accept: 'application/json',
            'User-Agent': 'dossier'
        },
        ...method === 'GET' || typeof body !== 'string' ? {} : {
            body
        },
        redirect: 'error',
        signal
    });
    const chunks = [];
    let size = 0;
    const reader = response.body?.getReader();
    for(let read = await reader?.read(); read?.done === false; read = await reader?.read()){
        const chunk = read.value;
        size += chunk.length;
        if (size > largest) {
            await reader?.cancel();
            throw new Error('the provider answers with too much');
        }
        chunks.push(chunk);
    }
    return {
        status: response.status,
        text: Buffer.concat(chunks).toString('utf8')
    };
}
/** Begins a login (no code in the query) or ends it. @throws the reason why it ended without a profile */ export function runStrategy(provider, callback, store, query) {
    const strategy = new ProviderStrategy(provider, callback, store, AbortSignal.timeout(patience));
    return new Promise((done, failed)=>{
        const finished = (error, found)=>{
            if (error !== null && error !== undefined) failed(error instanceof Error ? error : new Error(String(error)));
            else if (found === false || found === undefined) failed(new StateNotValid());
            else done(found);
        };
        // all that passport looks at in a request, and all that it does with a response
        const req = {
            query,
            headers: {},
            url: '/',
            method: 'GET'
        };
        const headers = {};
        const res = {
            statusCode: 200,
            setHeader: (name, value)=>void (headers[name] = value),
            end: ()=>done({
                    url: headers['Location'] ?? ''
                })
        };
        const middleware = new Passport().authenticate(strategy, {
            session: false
        }, finished);
        middleware(req, res, (error)=>failed(error instanceof Error ? error : new Error(String(error))));
    });
}
/** The state was not given to this browser for this provider, is too old or was used. */ export class StateNotValid extends Error {
    constructor(){
        super('the state is not valid');
        this.name = 'StateNotValid';
    }
}
