/** Signing in and out: the SASL commands, and who is signed in. */ import { Binary } from 'bson';
import { StoreError } from "../errors.js";
import { accountDatabase } from "../login/login.js";
import { mechanism } from "../login/scram.js";
import { isDoc } from "../values/kind.js";
import { docOf, flagOf, neededText } from "./arguments.js";
/** A connection has one sign-in at a time. */ const conversationId = 1;
function payloadOf({ payload }) {
    if (!(payload instanceof Binary)) throw new StoreError(14, "BSON field 'payload' is the wrong type, expected 'binData'");
    return Buffer.from(payload.value()).toString('utf8');
}
const shown = ({ payload, done })=>({
        conversationId,
        done,
        payload: new Binary(Buffer.from(payload, 'utf8'))
    });
const begin = (login, body, db)=>shown(login.begin({
        db,
        mechanism: neededText(body, 'mechanism'),
        payload: payloadOf(body),
        skipsEmpty: flagOf(docOf(body, 'options') ?? {}, 'skipEmptyExchange')
    }));
const saslStart = ({ client, body, db })=>({
        fields: begin(client.login, body, db)
    });
const saslContinue = ({ client, body })=>({
        fields: shown(client.login.proceed(payloadOf(body)))
    });
function logout({ client }) {
    client.login.end();
    return {
        fields: {}
    };
}
/**
 * What `hello` says of signing in: the mechanisms where they are asked for, for every name the same, and the answer to
 * a first message that came along. One that is no good is left unanswered, and the client begins anew by `saslStart`.
 */ export function loginFields({ client, body }) {
    const { login } = client;
    if (!login.possible) return {};
    return {
        ...body['saslSupportedMechs'] === undefined ? {} : {
            saslSupportedMechs: [
                mechanism
            ]
        },
        ...speculation(login, body['speculativeAuthenticate'])
    };
}
function speculation(login, given) {
    if (!isDoc(given) || typeof given['db'] !== 'string') return {};
    try {
        return {
            speculativeAuthenticate: begin(login, given, given['db'])
        };
    } catch (error) {
        if (error instanceof StoreError) return {};
        throw error;
    }
}
function connectionStatus({ client }) {
    const { user } = client.login;
    const users = user === undefined ? [] : [
        {
            user,
            db: accountDatabase
        }
    ];
    const roles = users.map(({ db })=>({
            role: 'root',
            db
        }));
    return {
        fields: {
            authInfo: {
                authenticatedUsers: users,
                authenticatedUserRoles: roles,
                authenticatedUserPrivileges: []
            }
        }
    };
}
const other = {
    kind: 'other',
    inTransaction: false
};
/** The rows of this file. */ export const authenticationCommands = [
    {
        ...other,
        name: 'saslStart',
        summary: 'Begins to sign in',
        fields: [
            'mechanism',
            'payload',
            'options',
            'autoAuthorize'
        ],
        beforeLogin: true,
        run: saslStart
    },
    {
        ...other,
        name: 'saslContinue',
        summary: 'Goes on signing in',
        fields: [
            'conversationId',
            'payload'
        ],
        beforeLogin: true,
        run: saslContinue
    },
    {
        ...other,
        name: 'logout',
        summary: 'Signs out',
        fields: [],
        run: logout
    },
    {
        ...other,
        name: 'connectionStatus',
        summary: 'Who is signed in',
        fields: [
            'showPrivileges'
        ],
        run: connectionStatus
    }
];
