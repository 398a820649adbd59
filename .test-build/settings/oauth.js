/** The OAuth part of a config: providers, how their profiles map to users, where browsers go afterwards. Checked at the start. */ /** A dotted path into a profile, or several of which the first that has a value counts. */ /** Keys that are no providers. */ const reserved = new Set([
    'success_uri',
    'fail_uri',
    'callback'
]);
const texts = [
    'auth_uri',
    'token_uri',
    'api_uri',
    'app_id',
    'app_secret'
];
const known = new Set([
    ...texts,
    'scope',
    'profile',
    'find_by_email',
    'create'
]);
/** Fields of the user model that a profile never sets. */ const neverMapped = /^(admin|groups|id|__v|createdAt|updatedAt|_.*|.*password.*|__proto__|constructor|prototype|\$.*)$/i;
/** The providers by name; inherited names are none. */ export const providersOf = (config)=>new Map(Object.entries(config ?? {}).filter((entry)=>typeof entry[1] === 'object'));
/** What is wrong with the OAuth part of a config, one sentence a fault. */ export function oauthFaults(config) {
    if (config === undefined) return [];
    if (!isObject(config)) return [
        'oauth must be an object'
    ];
    const faults = [];
    for (const key of [
        'success_uri',
        'fail_uri'
    ])if (!isAddress(config[key])) faults.push(`oauth.${key} must be a URL or a path`);
    for (const [name, provider] of Object.entries(config)){
        if (name === 'success_uri' || name === 'fail_uri') continue;
        if (reserved.has(name) || !/^[\w.-]{1,60}$/.test(name)) faults.push(`oauth.${name} cannot be a provider's name`);
        else if (!isObject(provider)) faults.push(`oauth.${name} must be an object`);
        else faults.push(...providerFaults(provider).map((fault)=>`oauth.${name}.${fault}`));
    }
    return faults;
}
function providerFaults(provider) {
    const { scope, profile, find_by_email, create } = provider;
    const isText = (value)=>typeof value === 'string' && value !== '';
    return [
        ...texts.filter((key)=>!isText(provider[key])).map((key)=>`${key} must be text`),
        ...texts.filter((key)=>key.endsWith('_uri') && isText(provider[key]) && !isUrl(provider[key])).map((key)=>`${key} must be an http or https URL`),
        ...Object.keys(provider).filter((key)=>!known.has(key)).map((key)=>`${key} is unknown; there are ${[
                ...known
            ].join(', ')}`),
        ...scope === undefined || isPath(scope) ? [] : [
            'scope must be text or a list of texts'
        ],
        ...[
            find_by_email,
            create
        ].some((flag)=>flag !== undefined && typeof flag !== 'boolean') ? [
            'find_by_email and create must be true or false'
        ] : [],
        ...profileFaults(profile)
    ];
}
function profileFaults(profile) {
    if (profile === undefined) return [];
    if (!isObject(profile)) return [
        'profile must be an object of paths'
    ];
    return Object.entries(profile).flatMap(([field, path])=>{
        const isFlag = field === 'email_verified' && path === true;
        if (!isPath(path) && !isFlag) return [
            `profile.${field} must be a path or a list of paths`
        ];
        return field !== 'id' && neverMapped.test(field) ? [
            `profile.${field} cannot be set by a profile`
        ] : [];
    });
}
const isObject = (value)=>typeof value === 'object' && value !== null && !Array.isArray(value);
const isPath = (value)=>typeof value === 'string' || Array.isArray(value) && value.every((one)=>typeof one === 'string');
const isUrl = (value)=>typeof value === 'string' && URL.canParse(value) && [
        'http:',
        'https:'
    ].includes(new URL(value).protocol);
/** A URL, one of an app's own scheme too, or a path of this server's origin. */ const isAddress = (value)=>typeof value === 'string' && !/^\s*(javascript|data|vbscript):/i.test(value) && (URL.canParse(value) || /^\/(?!\/)/.test(value));
