/** The settings: one row each. The environment, the config file, `.env.example` and `docs/settings.md` follow this table. */ import { signInRows } from "./sign-in-rows.js";
/** What a timer of Node can wait for, in milliseconds; a time limit of MongoDB too. */ const longestTimer = 2147483647;
export const settingRows = [
    {
        variable: 'PORT',
        key: 'port',
        kind: 'count',
        default: '4001',
        max: 65535,
        meaning: 'TCP port; 0 takes a free one'
    },
    {
        variable: 'HOST',
        key: 'host',
        kind: 'host',
        default: '127.0.0.1',
        meaning: 'Address to listen on'
    },
    {
        variable: 'API_URL',
        key: 'api_url',
        kind: 'url',
        default: undefined,
        meaning: 'Public base URL, used in `next`, `prev`, `Location` and OAuth redirects'
    },
    {
        variable: 'MODELS_DIR',
        key: 'models_dir',
        kind: 'text',
        default: './models',
        meaning: 'Folder of the model files'
    },
    {
        variable: 'MONGODB_URL',
        key: 'mongodb_url',
        kind: 'database',
        default: undefined,
        meaning: 'MongoDB connection string; without it the embedded store is used'
    },
    {
        variable: 'DATA_DIR',
        key: 'data_dir',
        kind: 'text',
        default: './data',
        meaning: 'Folder of the embedded store and of the generated secret'
    },
    ...signInRows,
    {
        variable: 'QUERY_LIMITS_ENABLED',
        key: 'query_limits.enabled',
        kind: 'switch',
        default: 'true',
        meaning: 'Turns the query limits on'
    },
    {
        variable: 'QUERY_LIMITS_DEFAULT',
        key: 'query_limits.default',
        kind: 'count',
        default: '100',
        min: 1,
        meaning: 'Limit of a list that names none'
    },
    {
        variable: 'QUERY_LIMITS_MAX',
        key: 'query_limits.max',
        kind: 'count',
        default: '1000',
        min: 1,
        meaning: 'Largest limit'
    },
    {
        variable: 'QUERY_LIMITS_LARGE_COLLECTION_THRESHOLD',
        key: 'query_limits.large_collection_threshold',
        kind: 'count',
        default: '10000',
        meaning: 'From this many documents on, lists must name a limit'
    },
    {
        variable: 'QUERY_LIMITS_SKIP_COUNT_UNLESS_PAGINATED',
        key: 'query_limits.skip_count_unless_paginated',
        kind: 'switch',
        default: 'true',
        meaning: 'Leaves out count and page_count unless count=true or page is given'
    },
    {
        variable: 'QUERY_LIMITS_MAX_TIME_MS',
        key: 'query_limits.max_time_ms',
        kind: 'milliseconds',
        default: '10000',
        min: 1,
        max: longestTimer,
        meaning: 'Longest time for one query in milliseconds'
    },
    {
        variable: 'QUERY_LIMITS_MAX_RESPONSE_SIZE',
        key: 'query_limits.max_response_size',
        kind: 'bytes',
        default: '10mb',
        min: 1,
        meaning: 'Largest answer'
    },
    {
        variable: 'CACHE_ENABLED',
        key: 'cache.enabled',
        kind: 'switch',
        default: 'false',
        meaning: 'Keeps answers of reads in memory'
    },
    {
        variable: 'CACHE_TTL',
        key: 'cache.ttl',
        kind: 'seconds',
        default: '300',
        min: 1,
        meaning: 'Seconds for which an answer is kept'
    },
    {
        variable: 'CORS_ORIGINS',
        key: 'cors.origins',
        kind: 'origins',
        default: '*',
        meaning: 'Origins that browsers may call from, separated by commas'
    },
    {
        variable: 'THROTTLE_ENABLED',
        key: 'throttle.enabled',
        kind: 'switch',
        default: 'true',
        meaning: 'Limits the requests of an address'
    },
    {
        variable: 'THROTTLE_WINDOW_MS',
        key: 'throttle.window_ms',
        kind: 'milliseconds',
        default: '60000',
        min: 1,
        max: longestTimer,
        meaning: 'Window of the throttles in milliseconds'
    },
    {
        variable: 'THROTTLE_MAX',
        key: 'throttle.max',
        kind: 'count',
        default: '1000',
        min: 1,
        meaning: 'Requests of one address in a window'
    },
    {
        variable: 'LOGIN_THROTTLE_MAX',
        key: 'throttle.login_max',
        kind: 'count',
        default: '10',
        min: 1,
        meaning: 'Failed logins in a window, by address and by account'
    },
    {
        variable: 'WEBSOCKET_MAX_PER_ADDRESS',
        key: 'websocket.max_per_address',
        kind: 'count',
        default: '1000',
        min: 1,
        meaning: 'Open WebSockets and event streams of one address'
    },
    {
        variable: 'WEBSOCKET_MAX_PER_USER',
        key: 'websocket.max_per_user',
        kind: 'count',
        default: '500',
        min: 1,
        meaning: 'Open WebSockets and event streams of one user'
    },
    {
        variable: 'TRUST_PROXY',
        key: 'trust_proxy',
        kind: 'proxy',
        default: 'false',
        meaning: 'Which forwarding headers to believe: false, true, a number of hops, or addresses'
    },
    {
        variable: 'MAX_BODY_SIZE',
        key: 'max_body_size',
        kind: 'bytes',
        default: '1mb',
        min: 1,
        meaning: 'Largest request body, also after decompression'
    },
    {
        variable: 'SMTP_URL',
        key: 'smtp.url',
        kind: 'mail',
        default: undefined,
        meaning: 'Mail server, as smtp://user:password@host:port'
    },
    {
        variable: 'SMTP_FROM',
        key: 'smtp.from',
        kind: 'text',
        default: undefined,
        meaning: 'Sender of mails'
    },
    {
        variable: 'PASSWORD_RECOVERY_URL',
        key: 'password_recovery_url',
        kind: 'url',
        default: undefined,
        meaning: 'Page that takes a new password; the JWT is appended to it'
    },
    {
        variable: 'ADMIN_EMAIL',
        key: 'admin.email',
        kind: 'email',
        default: undefined,
        meaning: 'Makes the first admin at start when there is no user'
    },
    {
        variable: 'ADMIN_PASSWORD',
        key: 'admin.password',
        kind: 'secret',
        default: undefined,
        min: 1,
        max: 72,
        meaning: 'Password of the first admin'
    },
    {
        variable: 'ADMIN_NAME',
        key: 'admin.name',
        kind: 'text',
        default: 'admin',
        meaning: 'Name of the first admin, also at `POST /setup` without a name'
    },
    {
        variable: 'SETUP_TOKEN',
        key: 'setup_token',
        kind: 'secret',
        default: undefined,
        min: 1,
        meaning: 'What `/setup` wants as x-setup-token in production on a public address'
    },
    {
        variable: 'LOG_LEVEL',
        key: 'log_level',
        kind: 'level',
        default: 'info',
        meaning: 'fatal, error, warn, info, debug, trace or silent'
    }
];
